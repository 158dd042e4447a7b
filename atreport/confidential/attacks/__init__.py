"""What an adversary could conclude from a draft: one module an attack, all of them listed here.

To add an attack, write a module with a function that takes a :class:`Case` and returns a :class:`Finding`, and list it.
The audit carries it out, and the annex, ``annex.json`` and ``atreport audit`` show what it gives, in this order.
"""

from __future__ import annotations

from atreport.confidential.attacks.beliefs import attack_by_bayes
from atreport.confidential.attacks.equation_attack import attack_by_equations
from atreport.confidential.attacks.exclusion import rule_out
from atreport.confidential.attacks.finding import Attack
from atreport.confidential.attacks.inversion import run_backwards
from atreport.confidential.attacks.known_records import leave_out_known
from atreport.confidential.attacks.mechanisms import compare_mechanisms
from atreport.confidential.attacks.observers import attack_beyond_promise
from atreport.confidential.attacks.promises import try_promises
from atreport.confidential.attacks.repeated import decide_again
from atreport.confidential.attacks.side_knowledge import mistake_population

ATTACKS = (
    Attack(name="beliefs", carry_out=attack_by_bayes),
    Attack(name="promises", carry_out=try_promises),
    Attack(name="equations", carry_out=attack_by_equations),
    Attack(name="observers", carry_out=attack_beyond_promise),
    Attack(name="inversion", carry_out=run_backwards),
    Attack(name="mechanisms", carry_out=compare_mechanisms),
    Attack(name="repeated decisions", carry_out=decide_again),
    Attack(name="known records", carry_out=leave_out_known),
    Attack(name="side knowledge", carry_out=mistake_population),
    Attack(name="exclusion", carry_out=rule_out),
)

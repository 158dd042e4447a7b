#!/bin/sh
# Turn a checkout into a working environment: an interpreter, a virtual environment, the packages, Pango, and for the
# extra dev the programs that tests need.
#
#   tools/setup.sh VENV [EXTRA]     run in the top folder; EXTRA is an extra of pyproject.toml, such as dev
#
# Each step leaves a mark in VENV and is skipped while its mark holds, so a second run takes a few hundredths of a
# second. PYTHON=… in the environment names the interpreter to use.
set -eu

venv=$1
extra=${2:-}
oldest=3.11
home_mark=$venv/.made-in # the folder the environment was made in: a copied or moved one is made anew
pango_mark=$venv/.weasyprint-loads
programs_mark=$venv/.test-programs
apt_lists_fresh=no

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 2
}

# --- Debian and Ubuntu, as root: what is missing from the system can be installed ---------------------------------

may_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
    say "Installing $* (apt-get)"
    log=$(mktemp)
    if {
        [ "$apt_lists_fresh" = yes ] || apt-get update
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends "$@"
    } >"$log" 2>&1 </dev/null; then
        apt_lists_fresh=yes
        rm -f "$log"
    else
        tail -n 15 "$log" >&2
        rm -f "$log"
        return 1
    fi
}

# --- Which interpreter --------------------------------------------------------------------------------------------

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < tuple(map(int, sys.argv[1].split("."))))' "$oldest" 2>/dev/null; }
makes_venvs() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }
identity() { "$1" -c 'import sys; print(sys.version.split()[0], sys.base_prefix)'; }

candidates() {
    if [ -n "${PYTHON:-}" ]; then
        echo "$PYTHON"
    else
        echo python3 python3.15 python3.14 python3.13 python3.12 python3.11 python
    fi
}

# Print the first interpreter that is new enough and can make a virtual environment.
find_python() {
    for python in $(candidates); do
        if new_enough "$python" && makes_venvs "$python"; then
            echo "$python"
            return
        fi
    done
    return 1
}

# Debian ships ensurepip apart from Python: install it for the first interpreter that lacks nothing else.
add_ensurepip() {
    for python in $(candidates); do
        if new_enough "$python" && ! makes_venvs "$python"; then
            apt_install "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
            return
        fi
    done
    return 1
}

no_python() {
    fail "No Python $oldest or newer that can make a virtual environment was found (tried: $(candidates)).
Install one, then run the same command again:
  Debian 12, Ubuntu 24.04 or newer   apt-get install python3 python3-venv
  Fedora                             dnf install python3
  Alpine                             apk add python3
  macOS                              brew install python
or name one: make … PYTHON=/path/to/python3"
}

# --- The virtual environment --------------------------------------------------------------------------------------

venv_holds() {
    [ "$(cat "$home_mark" 2>/dev/null)" = "$PWD" ] && "$venv/bin/python" -I -S -c '' 2>/dev/null || return 1
    # An interpreter asked for by name must be the one the environment was made with.
    [ -z "${PYTHON:-}" ] || [ "$(identity "$PYTHON" 2>/dev/null)" = "$(identity "$venv/bin/python")" ]
}

make_venv() {
    if ! python=$(find_python); then
        { may_apt && add_ensurepip; } || no_python
        python=$(find_python) || no_python
    fi
    say "Making $venv with $("$python" --version 2>&1)"
    "$python" -m venv --clear "$venv" || fail "Could not make $venv with $python: see the message above."
    printf '%s\n' "$PWD" >"$home_mark"
}

# --- The packages -------------------------------------------------------------------------------------------------

# The mark of an installation is the pyproject.toml it was made from.
install_packages() {
    mark=$venv/.installed${extra:+-$extra}
    cmp -s pyproject.toml "$mark" && return
    say "Installing atreport${extra:+ and its $extra tools} into $venv (a minute or two the first time)"
    rm -f "$venv"/.installed* # should this be interrupted, nothing claims to be installed
    "$venv/bin/python" -m pip --disable-pip-version-check --no-input \
        install --progress-bar off --editable ".${extra:+[$extra]}" >"$venv/pip.log" 2>&1 </dev/null || {
        awk 'tolower($1) ~ /^error/ { seen = 1 } seen' "$venv/pip.log" | head -n 30 >&2
        fail "pip could not install the packages: see above, and $venv/pip.log for all it said."
    }
    cp pyproject.toml "$mark"
    cp pyproject.toml "$venv/.installed" # every extra brings what a report needs
}

# --- Pango, which WeasyPrint loads to set the PDF -------------------------------------------------------------------

weasyprint_loads() { "$venv/bin/python" -c 'import weasyprint' >/dev/null 2>&1; }

find_pango() {
    [ -e "$pango_mark" ] && return
    if weasyprint_loads || { may_apt && apt_install libpango-1.0-0 libpangoft2-1.0-0 && weasyprint_loads; }; then
        : >"$pango_mark"
    else
        say "WeasyPrint cannot load Pango: HTML and JSON will be built, and the PDF will be missing. To have it, install Pango:
  Debian, Ubuntu   apt-get install libpango-1.0-0 libpangoft2-1.0-0
  Fedora           dnf install pango
  Alpine           apk add pango
  macOS            brew install pango"
    fi
}

# --- Programs that only tests need: a browser, and Java with the libraries of veraPDF -------------------------------

find_test_programs() {
    [ -e "$programs_mark" ] && return
    missing=
    command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
    command -v javac >/dev/null 2>&1 || missing="$missing default-jdk-headless"
    for library in jaxb jaxb-api istack-commons txw2 activation stax-ex fastinfoset; do
        dpkg -s "lib$library-java" >/dev/null 2>&1 || missing="$missing lib$library-java"
    done
    # shellcheck disable=SC2086 # one word a package
    if [ -z "$missing" ] || { may_apt && apt_install $missing; }; then
        : >"$programs_mark"
    else
        say "Tests in a browser and tests with veraPDF will be skipped where something is missing. They need, on Debian:
  apt-get install$missing"
    fi
}

venv_holds || make_venv
install_packages
find_pango
[ "$extra" != dev ] || find_test_programs

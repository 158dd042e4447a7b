// Search and filters. Everything is in the page without them, and nothing here talks to a network.
(() => {
  "use strict";
  const finder = document.querySelector(".finder");
  const status = document.querySelector(".found");
  const listings = [...document.querySelectorAll(".listing")];
  const texts = listings.map((listing) => listing.textContent.toLowerCase());
  const value = (name) => finder.elements[name].value;
  const show = () => {
    const words = value("words").toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = ["publisher", "form"];
    let left = 0;
    listings.forEach((listing, place) => {
      const data = listing.dataset;
      const fits = words.every((word) => texts[place].includes(word))
        && chosen.every((name) => !value(name) || data[name] === value(name))
        && (!value("language") || data.languages.split(" ").includes(value("language")))
        && (!value("verdict") || data.verdicts.split(" ").includes(value("verdict")))
        && (!value("since") || data.date >= value("since"))
        && (!value("until") || data.date <= value("until"));
      listing.hidden = !fits;
      left += fits ? 1 : 0;
    });
    status.textContent = page.say("{left} of {all} reports are shown.", { left, all: listings.length });
  };
  finder.addEventListener("input", show);
  finder.addEventListener("submit", (event) => event.preventDefault());
  finder.hidden = false;
})();

// The words and number signs of the page's language, for the scripts below. English needs no list of words.
const page = (() => {
  "use strict";
  const carried = document.getElementById("page-words");
  const spoken = carried ? JSON.parse(carried.textContent) : { messages: {}, decimal: ".", group: ",", percent: "{number}%" };
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => (Object.hasOwn(values, name) ? values[name] : place));
  return {
    say: (message, values = {}) => fill(Object.hasOwn(spoken.messages, message) ? spoken.messages[message] : message, values),
    // A number in plain digits (0.5) as it is written here, and back.
    written: (digits) => String(digits).replace(".", spoken.decimal),
    plain: (text) => text.replaceAll(spoken.group, "").replaceAll("−", "-").replaceAll(spoken.decimal, "."),
    percent: (digits) => fill(spoken.percent, { number: String(digits).replace(".", spoken.decimal) }),
  };
})();

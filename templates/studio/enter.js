"use strict";
// Keeps the key where only pages of this port can read it, and goes on without the link's token in the address.
localStorage.setItem("atreport-studio", document.querySelector("meta[name=studio-key]").content);
location.replace("/");

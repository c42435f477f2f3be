/*
 * page-rules.js - what is wrong with the page in the browser, for those who see
 * little, hear it, or have no mouse: the body of a function, which returns a
 * line for each fault. They are those of WCAG 2.2 that a program can see.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
const faults = [];
const fault = (rule, element) => faults.push(
    rule + ": " + element.outerHTML.replace(/\s+/g, " ").slice(0, 120));
const all = selector => Array.from(document.querySelectorAll(selector));
const style = element => getComputedStyle(element);
const isShown = element => element.checkVisibility() &&
    element.getClientRects().length > 0 &&
    style(element).visibility === "visible";
const text = element => (element ? element.textContent : "").trim();

/* ---- Names ---------------------------------------------------------------*/

const byIds = ids => ids.split(/\s+/).map(
    id => text(document.getElementById(id))).join(" ").trim();
function nameOf(element) {
    if (element.hasAttribute("aria-labelledby"))
        return byIds(element.getAttribute("aria-labelledby"));
    return (element.getAttribute("aria-label") || "").trim() ||
        Array.from(element.labels || []).map(text).join(" ").trim() ||
        (element.matches("a, button") ? text(element) : "") ||
        (element.type === "submit" ? element.value : "");
}

if (!document.documentElement.lang)
    faults.push("no language");
if (!document.title.trim())
    faults.push("no title");
if (document.querySelector("meta[http-equiv=refresh]"))
    faults.push("the page is replaced while it is read");
for (const element of all("a, button, input:not([type=hidden]), select, " +
                          "textarea, fieldset, [role=radiogroup]")) {
    const name = element.matches("fieldset")
        ? text(element.querySelector("legend")) : nameOf(element);
    if (!name)
        fault("no name", element);
}
for (const element of all("input[type=radio]"))
    if (!element.closest("fieldset, [role=radiogroup]"))
        fault("a choice of no group", element);
for (const element of all("img:not([alt]), iframe:not([title])"))
    fault("no text for it", element);
for (const element of all("[onclick]:not(a, button, input, select)"))
    fault("no button", element);
for (const element of all("label[for]"))
    if (!element.control)
        fault("a label of nothing", element);
for (const element of all("[aria-describedby]"))
    if (!byIds(element.getAttribute("aria-describedby")))
        fault("described by nothing", element);
const names = new Set();
for (const element of all("input:not([type=hidden], [type=radio], " +
                          "[type=submit]), select, textarea")) {
    const group = element.closest("fieldset");
    const name = (group ? text(group.querySelector("legend")) : "") + ": " +
        nameOf(element);
    if (names.size === names.add(name).size)
        fault("a name that another field has", element);
}
const ids = new Set();
for (const element of all("[id]"))
    if (ids.size === ids.add(element.id).size)
        fault("an id once more", element);
for (const element of all("th"))
    if (!text(element))
        fault("a column's or row's name that is empty", element);

/* ---- Order ---------------------------------------------------------------*/

let level = 0;
for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1 || (level === 0 && next !== 1))
        fault("a level of headings is left out", heading);
    level = next;
}
if (all("h1").length !== 1)
    faults.push(all("h1").length + " main headings");
if (all("main, [role=main]").length !== 1)
    faults.push("no main part, or several");

/* ---- Seen ----------------------------------------------------------------*/

function colorOf(value) {
    const numbers = value.match(/[\d.]+/g).map(Number);
    return {rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1};
}
function groundOf(element) {
    for (; element; element = element.parentElement) {
        const color = colorOf(style(element).backgroundColor);
        if (color.alpha === 1)
            return color.rgb;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches
        ? [18, 18, 18] : [255, 255, 255];
}
function luminance(rgb) {
    const [r, g, b] = rgb.map(value => value / 255).map(
        value => value <= 0.04045 ? value / 12.92
                                  : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}
function hasText(element) {
    return element.matches("input:not([type=radio], [type=checkbox]), " +
                           "select, textarea") ||
        Array.from(element.childNodes).some(
            node => node.nodeType === Node.TEXT_NODE && node.data.trim());
}
for (const element of all("body *")) {
    if (!isShown(element) || !hasText(element))
        continue;
    const seen = style(element);
    const large = parseFloat(seen.fontSize) >= 24 ||
        (parseFloat(seen.fontSize) >= 18.6 && seen.fontWeight >= 700);
    const is = contrast(colorOf(seen.color).rgb, groundOf(element));
    if (is < (large ? 3 : 4.5))
        fault("contrast " + is.toFixed(1), element);
}
for (const element of all("input[type=text], input[type=number], " +
                          "input[type=password], select, textarea"))
    if (isShown(element) && contrast(colorOf(style(element).borderTopColor).rgb,
                                     groundOf(element.parentElement)) < 3)
        fault("a field without a border that is seen", element);

const root = document.documentElement;
if (root.scrollWidth > innerWidth)
    faults.push("wider than the window: " + root.scrollWidth);
for (const element of all("body *")) {
    const box = element.getBoundingClientRect();
    if (isShown(element) && (box.right > innerWidth + 1 || box.left < -1))
        fault("out of the window", element);
}
for (const element of all("a, button, input:not([type=hidden]), select")) {
    if (!isShown(element))
        continue;
    element.scrollIntoView({block: "center"});
    const box = element.getBoundingClientRect();
    const at = document.elementFromPoint((box.left + box.right) / 2,
                                         (box.top + box.bottom) / 2);
    const wrapped = element.getClientRects().length > 1;
    if (!wrapped && !element.contains(at) && !at.contains(element))
        fault("covered by " + at.tagName, element);
    if (element.matches("button, [type=submit], .btn, select") &&
        (box.width < 24 || box.height < 24))
        fault("too small to be hit", element);
}
scrollTo(0, 0);

/* ---- Where it comes from -------------------------------------------------*/

for (const entry of performance.getEntriesByType("resource"))
    if (new URL(entry.name).host !== location.host)
        faults.push("asks another server: " + entry.name);
return faults;

// What the page says, in the language of the site; see `locale/en.toml`.

const SAID = JSON.parse(document.getElementById("search")?.dataset.words ?? "{}");
const PLURALS = new Intl.PluralRules(SAID.language);

const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

const say = (key, values) => fill(SAID.search?.[key] ?? key, values);

const number = count => String(count).replace(/\B(?=(?:\d{3})+$)/g, SAID.count.separator);

function counted(key, count) {
  const forms = SAID.count[key];
  return fill(forms[PLURALS.select(count)] ?? forms.other, { n: number(count) });
}

function dayFor(day) {
  const [year, month, date] = day.split("-").map(Number);
  return fill(SAID.date.day, { year, month: SAID.date.months[month - 1], day: date });
}

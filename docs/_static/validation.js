// The table of all validation numbers: searched as one types, sorted by a click on a heading.
const heads = ["subject", "section", "what", "reference", "Jourdain", "deviation", "test"];
const table = document.getElementById("numbers");
let sorted = -1, down = false;

// Text of a cell: `code` and [links](...) of Markdown; everything else as it stands.
function fill(cell, text) {
  for (const part of text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split(/(`[^`]*`)/)) {
    if (part.startsWith("`") && part.length > 1) {
      const code = document.createElement("code");
      code.textContent = part.slice(1, -1);
      cell.append(code);
    } else cell.append(part);
  }
}

const rows = VALIDATION.map(([page, section, address, ...rest]) => {
  const row = document.createElement("tr");
  const cells = [page, section, ...rest];
  cells.forEach((text, i) => {
    const cell = row.insertCell();
    if (i === 1) {
      const link = document.createElement("a");
      link.href = address;
      fill(link, text);
      cell.append(link);
    } else fill(cell, text);
  });
  return { row, cells, text: cells.join(" ").toLowerCase() };
});

function show() {
  const words = document.getElementById("numbers-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(({ text }) => words.every((word) => text.includes(word)));
  if (sorted >= 0) {
    found.sort((a, b) => a.cells[sorted].localeCompare(b.cells[sorted], undefined, { numeric: true }) * (down ? -1 : 1));
  }
  table.tBodies[0].replaceChildren(...found.map(({ row }) => row));
  document.getElementById("numbers-count").textContent = `${found.length} of ${rows.length} rows`;
}

const head = table.tHead.insertRow();
heads.forEach((name, i) => {
  const cell = document.createElement("th");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.addEventListener("click", () => {
    [sorted, down] = [i, sorted === i && !down];
    [...head.cells].forEach((one, k) => one.setAttribute("aria-sort", k !== i ? "none" : down ? "descending" : "ascending"));
    show();
  });
  cell.append(button);
  head.append(cell);
});
document.getElementById("numbers-search").addEventListener("input", show);
show();

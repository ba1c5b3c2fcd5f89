// Follows an oracle's `run`: standard input holds the pairs' data as a JSON list, standard output gets one result each.
const results = JSON.parse(require('fs').readFileSync(0, 'utf8')).map((data) => {
  if (data === null || typeof data !== 'object' || data.input === null || typeof data.input !== 'object') return { error: 'wrong type' };
  try {
    const result = run(data.property, data.input);
    return result === undefined ? null : result;
  } catch (problem) {
    return { error: problem.message };
  }
});
console.log(JSON.stringify(results));

// Runs a collection once for each set of variables, one after the other, and prints what newman says.
// Usage: node run.cjs NEWMAN COLLECTION SETS     SETS is a JSON array of objects.
const [library, collection, sets] = process.argv.slice(2);
const newman = require(library);

const run = variables => new Promise((resolve, reject) => {
  const envVar = Object.entries(variables).map(([key, value]) => ({ key, value }));
  const reporter = { cli: { noBanner: true } };
  newman.run({ collection, envVar, reporters: ['cli'], reporter }, (error, summary) => {
    if (error || summary.run.error) reject(error || summary.run.error);
    else resolve(summary.run.failures.length);
  });
});

(async () => {
  for (const variables of JSON.parse(sets)) {
    if (await run(variables) > 0) process.exitCode = 1;
  }
})();

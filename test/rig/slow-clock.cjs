// Loaded into a process under test: by its own clock a hundred times as much time passes as it thinks. What it grants others for their
// end is then over long after the test: whoever sees them ended sooner knows that it has not been waited for.
const now = performance.now.bind(performance);
performance.now = () => now() / 100;

// Runs in the page before the page's own code, as it is written here. `benchWanted` is how many rows complete a list.
(() => {
  const stampColumn = 'td[data-column="message"]';
  const seen = new Set();
  let recording = false;
  let lastFrameAt = 0;
  let frames = 0;
  let longestFrame = 0;
  let recordedSince = 0;
  let late = [];
  let keys = [];
  let pressed = 0;

  const probe = {
    firstRowAt: null,
    allRowsAt: null,
    start() {
      late = [];
      keys = [];
      pressed = 0;
      frames = 0;
      longestFrame = 0;
      recordedSince = performance.now();
      recording = true;
    },
    stop() {
      recording = false;
      while (keys.length < pressed) keys.push(16);
      return { late, keys, longestFrame, framesPerSecond: (frames / (performance.now() - recordedSince)) * 1000 };
    },
    /** Links of the rows whose stamp can be seen. */
    inSight() {
      return [...document.querySelectorAll('tr[data-row-id]')]
        .filter((row) => {
          const box = row.querySelector(stampColumn)?.getBoundingClientRect();
          return box && box.top > 0 && box.bottom < innerHeight && box.left < innerWidth;
        })
        .map((row) => row.querySelector('a[data-row-link]')?.getAttribute('href') ?? '');
    },
  };
  window.benchProbe = probe;

  const look = () => {
    const now = performance.now();
    if (recording) {
      frames += 1;
      longestFrame = Math.max(longestFrame, now - lastFrameAt);
    }
    lastFrameAt = now;
    const rows = document.querySelectorAll('tr[data-row-id]');
    if (rows.length > 0) {
      probe.firstRowAt ??= now;
      const shown = Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')) - 1;
      if (shown >= window.benchWanted) probe.allRowsAt ??= now;
    }
    for (const row of rows) {
      const stamp = /t=(\d{13})/.exec(row.querySelector(stampColumn)?.textContent ?? '')?.[1];
      if (stamp === undefined) continue;
      const change = `${row.dataset.rowId} ${stamp}`;
      if (seen.has(change)) continue;
      seen.add(change);
      if (recording) late.push([Number(stamp), Date.now() - Number(stamp)]);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  // From when the browser had the key until the frame after it was shown, in steps of 8 ms; under 16 ms is not told.
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (recording && name === 'keydown') keys.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  addEventListener('keydown', () => (pressed += recording ? 1 : 0), true);
})();

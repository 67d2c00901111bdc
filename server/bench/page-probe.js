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

  const probe = {
    firstRowAt: null,
    allRowsAt: null,
    start() {
      late = [];
      keys = [];
      frames = 0;
      longestFrame = 0;
      recordedSince = performance.now();
      recording = true;
    },
    stop() {
      recording = false;
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

  addEventListener(
    'keydown',
    (event) => {
      const pressedAt = event.timeStamp;
      requestAnimationFrame(() => {
        // A message sent in a frame is delivered after that frame is painted.
        const painted = new MessageChannel();
        painted.port1.onmessage = () => {
          if (recording) keys.push(performance.now() - pressedAt);
        };
        painted.port2.postMessage(null);
      });
    },
    true,
  );
})();

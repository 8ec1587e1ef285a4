// @ts-check
// A few quiet tones, made here and not loaded; off until the viewer wants them.

import { options, watchOptions } from "./options.js";

/** @type {AudioContext | null} */
let context = null;

/** @type {Record<string, [pitch: number, at: number, length: number, kind: OscillatorType][]>} */
const TONES = {
  card: [[190, 0, 0.05, "triangle"]],
  turn: [[320, 0, 0.06, "triangle"]],
  banker: [[392, 0, 0.14, "sine"], [523, 0.12, 0.22, "sine"]],
  player: [[523, 0, 0.14, "sine"], [392, 0.12, 0.22, "sine"]],
  tie: [[440, 0, 0.14, "sine"], [440, 0.16, 0.2, "sine"]],
  void: [[220, 0, 0.25, "sine"]],
  finding: [[660, 0, 0.12, "square"], [495, 0.16, 0.12, "square"], [660, 0.32, 0.18, "square"]],
};

function awake() {
  context ??= new AudioContext();
  // Until somebody clicked or pressed a key a browser keeps it silent; that is no trouble of ours.
  if (context.state === "suspended") void context.resume().catch(() => {});
  return context;
}

// Choosing is a click: what comes first after it is heard.
watchOptions((changed) => changed.includes("sound") && options.sound === "on" && awake());

/** Sound a tone, where the viewer wants sound and the browser lets it be heard. @param {string} what */
export function sound(what) {
  if (options.sound !== "on") return;
  const context = awake();
  if (context.state !== "running") return;
  for (const [pitch, at, length, kind] of TONES[what] ?? []) {
    const begin = context.currentTime + at;
    const tone = new OscillatorNode(context, { type: kind, frequency: pitch });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(kind === "square" ? 0.04 : 0.09, begin + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0005, begin + length);
    tone.connect(gain).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

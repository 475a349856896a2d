// @ts-check
// Small sounds, made here out of nothing but tones, and a touch of vibration with them. Silent until somebody wants
// them; no browser lets a page sound before it was touched.
import { remember } from "./dom.js";

const KEY = "sound";
const LOUD = 0.14;

/**
 * Tones of a sound: hertz, when it begins and how long it lasts in seconds.
 * @type {Record<string, {tones: [number, number, number][], shape: OscillatorType, buzz: number[]}>}
 */
const SOUNDS = {
  step: { tones: [[240, 0, 0.05], [170, 0.02, 0.06]], shape: "triangle", buzz: [] },
  turn: { tones: [[523, 0, 0.12], [784, 0.1, 0.2]], shape: "sine", buzz: [60] },
  won: { tones: [[523, 0, 0.15], [659, 0.13, 0.15], [784, 0.26, 0.15], [1047, 0.39, 0.45]], shape: "sine", buzz: [40, 60, 120] },
  lost: { tones: [[392, 0, 0.2], [330, 0.18, 0.2], [262, 0.36, 0.5]], shape: "sine", buzz: [160] },
  drawn: { tones: [[440, 0, 0.2], [440, 0.24, 0.35]], shape: "sine", buzz: [80] },
};

/** @type {AudioContext | null} */
let context = null;

export function soundOn() {
  return localStorage.getItem(KEY) === "on";
}

/** @param {boolean} on */
export function setSound(on) {
  remember(KEY, on ? "on" : "off");
  if (on) play("turn");
}

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!soundOn() || !navigator.userActivation?.hasBeenActive) return;
  const { tones, shape, buzz } = SOUNDS[name];
  if (buzz.length) navigator.vibrate?.(buzz);
  context ??= new AudioContext();
  context.resume();
  for (const tone of tones) sound(context, tone, shape);
}

/**
 * One tone that comes at once and fades away.
 * @param {AudioContext} audio
 * @param {[number, number, number]} tone
 * @param {OscillatorType} shape
 */
function sound(audio, [hertz, begins, lasts], shape) {
  const from = audio.currentTime + begins;
  const [voice, loudness] = [audio.createOscillator(), audio.createGain()];
  voice.type = shape;
  voice.frequency.value = hertz;
  loudness.gain.setValueAtTime(LOUD, from);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + lasts);
  voice.connect(loudness).connect(audio.destination);
  voice.start(from);
  voice.stop(from + lasts);
}

// Colours of heat maps. Sequential ones (viridis, cividis) are read in the same order by people who see fewer colours
// and in print; the diverging one is for maps with two ends. None of them are the players' colours.

const STOPS = {
  viridis: ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"],
  cividis: ["#00224e", "#26446b", "#4c5a6d", "#6d7074", "#8f8878", "#b5a371", "#dcc160", "#fee838"],
  diverging: ["#e08214", "#fdb863", "#fee0b6", "#f7f7f7", "#d8daeb", "#b2abd2", "#542788"],
};

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

export function mix(one, other, share) {
  const [a, b] = [channels(one), channels(other)];
  return (
    "#" +
    a
      .map((value, k) =>
        Math.round(value + (b[k] - value) * share)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")
  );
}

export function colour(palette, share) {
  const stops = STOPS[palette];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[low], stops[low + 1], at - low);
}

export const stops = (palette) => STOPS[palette];

// Black or white, whichever reads better on a colour.
export function ink(hex) {
  const [r, g, b] = channels(hex).map((value) =>
    (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.3 ? "#000000" : "#ffffff";
}

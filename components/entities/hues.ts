import type { Color } from '@/lib/definitions/display'

/** Angles in OKLCH; lightness and chroma are the theme's, so that each has the same contrast. Gray has none. */
export const HUES: Partial<Record<Color, number>> = {
  blue: 255,
  green: 165,
  amber: 75,
  purple: 310,
  cyan: 205,
  pink: 350,
  lime: 120,
  red: 28,
}

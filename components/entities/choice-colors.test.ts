import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COLORS } from '@/lib/definitions/display'
import { HUES } from './hues'

const CSS = readFileSync('app/globals.css', 'utf8')
/** Lightness and chroma, first of the light theme, then of the dark one. */
const shadesOf = (name: string) =>
  [...CSS.matchAll(new RegExp(`--${name}: ([\\d.]+) ([\\d.]+);`, 'g'))].map(([, l, c]) => [
    Number(l),
    Number(c),
  ])

it('every colour but gray has a hue', () => {
  expect([...Object.keys(HUES), 'gray']).toEqual([...COLORS])
})

it.each(Object.entries(HUES))('%s can be read in light and dark', (_, hue) => {
  const [texts, grounds] = [shadesOf('tint-text'), shadesOf('tint-soft')]
  expect(texts).toHaveLength(2)
  for (const [at, [lightness = 0, chroma = 0]] of texts.entries()) {
    const [groundLightness = 0, groundChroma = 0] = grounds[at] ?? []
    const text = luminance(lightness, chroma, hue)
    const ground = luminance(groundLightness, groundChroma, hue)
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
    expect(contrast).toBeGreaterThanOrEqual(4.5)
  }
})

/** The relative luminance of a colour in OKLCH, as screens show it. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const inside = (part: number) => Math.min(1, Math.max(0, part))
  const red = inside(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = inside(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = inside(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

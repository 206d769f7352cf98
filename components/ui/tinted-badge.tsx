import type { CSSProperties, ReactNode } from 'react'

/** Angles in OKLCH; lightness and chroma are the theme's, so that each has the same contrast. */
const HUES = [255, 165, 75, 310, 205, 350, 120, 28]

/** How many colours there are before they repeat. */
export const TINTS = HUES.length

type Props = { tint: number; children: ReactNode }

/** A word in one of a few calm colours; the colour says nothing that the word does not. */
export const TintedBadge = ({ tint, children }: Props) => (
  <span
    style={{ '--tint-hue': HUES[tint % TINTS] } as CSSProperties}
    className="tinted inline-flex h-5 max-w-full items-center rounded px-1.5 text-xs font-medium"
  >
    <span className="truncate">{children}</span>
  </span>
)

import type { CSSProperties } from 'react'
import { HUES } from '@/components/entities/hues'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { COLORS, type Color } from '@/lib/definitions/display'
import { texts } from './display-draft'
import type { PartProps } from './field-inputs'
import { MoreSection } from './more-section'

/** What people see in place of the values that a field may have. */
export function ChoiceFields({ field, onChange }: PartProps) {
  const { choices, display } = field
  const { labels, colors } = display
  if (choices.length === 0) return null
  const change = (part: 'labels' | 'colors', choice: string, text: string) => {
    const next = texts(Object.entries({ ...display[part], [choice]: text }))
    onChange({ display: { ...display, [part]: next } })
  }
  return (
    <MoreSection
      title="Labels and colours"
      isUsed={choices.some((choice) => labels[choice] || colors[choice])}
    >
      <ul className="grid gap-2 sm:col-span-2">
        {choices.map((choice) => (
          <li key={choice} className="grid items-center gap-2 sm:grid-cols-[1fr_1.5fr_8rem]">
            <span className="truncate font-mono text-xs">{choice}</span>
            <Input
              aria-label={`Label of ${choice}`}
              placeholder={choice}
              autoComplete="off"
              value={labels[choice] ?? ''}
              onChange={({ target }) => change('labels', choice, target.value)}
            />
            <Select
              aria-label={`Colour of ${choice}`}
              placeholder="None"
              value={colors[choice] ?? NONE}
              onValueChange={(color) => change('colors', choice, color)}
              options={OPTIONS}
            />
          </li>
        ))}
      </ul>
    </MoreSection>
  )
}

const NONE = ''

const Swatch = ({ color }: { color: Color }) => (
  <span
    style={{ '--tint-hue': HUES[color] } as CSSProperties}
    className={`rounded px-1.5 text-xs font-medium ${HUES[color] === undefined ? 'border' : 'tinted'}`}
  >
    {color}
  </span>
)

const OPTIONS = [
  { value: NONE, label: 'None' },
  ...COLORS.map((color) => ({ value: color, label: <Swatch color={color} /> })),
]

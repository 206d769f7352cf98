import type { CSSProperties, ReactNode } from 'react'
import { formatValue } from '@/components/data-table/format-value'
import type { ConsoleKind } from '@/components/kinds/console-kind'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { useCan } from '@/components/shell/viewer'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { FieldReference } from '@/lib/definitions/definition'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { HUES } from './hues'
import { useImage } from './image-by-reference'
import { ImageValue, WithImage } from './image-value'
import type { NumberLook } from './number-looks'
import { ownImage, refersToImage } from './own-image'
import { useReferenceTitle } from './reference-titles'
import type { ColumnDescription, EntityRecord } from './types'
import { type Peek, usePanel } from './use-panel'
import { BooleanValue, NestedValue, NumberValue, TextValue, WordsValue } from './value-parts'

type Props = {
  value: ExactJson | undefined
  column: ColumnDescription
  record: EntityRecord
  /** Of a column of numbers. */
  look?: NumberLook
  /** In a panel, with room. */
  full?: boolean
}

/** A value in the format of its type; absent, empty and false values look different. */
export function CellValue({ value, column, record, look, full }: Props) {
  if (value === null || value === undefined) {
    return <span className="text-muted-foreground/70">—</span>
  }
  if (value === '') return <span className="text-muted-foreground">empty text</span>
  const { reference } = column.rules
  if (reference) {
    const link = <ReferenceValue reference={reference} value={value} record={record} />
    if (!refersToImage(reference)) return link
    return (
      <ImageReference field={reference.field} value={plainText(value)} full={full}>
        {link}
      </ImageReference>
    )
  }
  const image = ownImage(value)
  if (image) return <ImageValue address={image} full={full} />
  const { cell } = CONSOLE_KINDS[column.kind]
  if (column.display?.choices || (column.rules.enum && cell === 'text'))
    return <ChoiceValue value={value} column={column} />
  return CELLS[cell]({ value, column, look })
}

type CellProps = { value: ExactJson; column: ColumnDescription; look?: NumberLook }

const CELLS: Record<ConsoleKind['cell'], (props: CellProps) => ReactNode> = {
  boolean: ({ value }) => <BooleanValue value={value === true} />,
  time: ({ value }) => <Time value={String(value)} zone />,
  nested: ({ value }) => <NestedValue value={value} />,
  text: ({ value, column: { rules, type } }) => (
    <TextValue text={String(value)} type={rules.format ?? type} />
  ),
  number: NumberValue,
  words: WordsValue,
}

/** One of the values that a field allows, by its label: its colour is the definition's, else its place among them. */
function ChoiceValue({ value, column }: CellProps) {
  const { rules, display } = column
  const [stored, label] = [plainText(value), formatValue(value, column)]
  const isValue = (one: ExactJson) => plainText(one) === stored
  const choices = display?.choices?.filter(({ color }) => color)
  const color = choices?.find((choice) => isValue(choice.value as ExactJson))?.color
  const hues = Object.values(HUES)
  const allowed = rules.enum ?? []
  // Colours that repeat would mean nothing.
  const own = allowed.length > hues.length ? undefined : hues[allowed.findIndex(isValue)]
  const hue = choices?.length ? color && HUES[color] : own
  const title = label === stored ? undefined : stored
  if (hue === undefined)
    return (
      <Badge>
        <span title={title}>{label}</span>
      </Badge>
    )
  return <TintedBadge {...{ hue, title }}>{label}</TintedBadge>
}

type TintedBadgeProps = { hue: number; title?: string; children: ReactNode }

/** A word in one of a few calm colours; the colour says nothing that the word does not. */
const TintedBadge = ({ hue, title, children }: TintedBadgeProps) => (
  <span
    style={{ '--tint-hue': hue } as CSSProperties}
    title={title}
    className="tinted inline-flex h-5 max-w-full items-center rounded px-1.5 text-xs font-medium"
  >
    <bdi className="truncate">{children}</bdi>
  </span>
)

type ImageReferenceProps = { field: string; value: string; full?: boolean; children: ReactNode }

/** What names an image that a field refers to, with the image where there is one. */
function ImageReference({ field, value, full, children }: ImageReferenceProps) {
  const address = useImage(field, value)
  if (!address) return children
  return (
    <WithImage address={address} full={full}>
      {children}
    </WithImage>
  )
}

type ReferenceValueProps = { reference: FieldReference; value: ExactJson; record: EntityRecord }

/** A reference by the name and the id of its record, which a click shows beside the table. */
function ReferenceValue({ reference, value, record }: ReferenceValueProps) {
  const panel = usePanel()
  const { entity } = reference
  const mayRead = useCan({ entity, action: 'read' })
  const { referred, isWhole } = referredOf(reference, value, record)
  const title = useReferenceTitle(isWhole ? referred : null)
  const text = plainText(value)
  if (!mayRead) return text
  const named = Object.entries(referred.values).map(([name, one]) => `${name} ${one}`)
  return (
    <button
      type="button"
      title={[title, `${entity} with ${named.join(', ')}`].filter(Boolean).join('\n')}
      data-printed
      className="group/ref max-w-full truncate rounded text-primary"
      onClick={() => panel.peek(referred)}
    >
      {/* Two elements of their own: text that moves aside would count as a shift of the layout. */}
      {title === null ? (
        <span key="id" className="underline-offset-2 group-hover/ref:underline">
          {text}
        </span>
      ) : (
        <span key="title">
          <bdi className="underline-offset-2 group-hover/ref:underline">{title}</bdi>{' '}
          <span className="text-xs text-muted-foreground">{text}</span>
        </span>
      )}
    </button>
  )
}

/** The record that a field of `record` refers to; not whole when another field of the reference is empty. */
function referredOf(
  { entity, field, with: further = {} }: FieldReference,
  value: ExactJson,
  record: EntityRecord,
): { referred: Peek; isWhole: boolean } {
  const own = Object.entries(further)
  const isWhole = own.every(([name]) => record[name] !== null && record[name] !== undefined)
  const others = own.map(([name, target]) => [target, plainText(record[name] ?? '')])
  const values = { [field]: plainText(value), ...Object.fromEntries(others) }
  return { referred: { entity, values }, isWhole }
}

import type { ReactNode } from 'react'
import type { ConsoleKind } from '@/components/kinds/console-kind'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { Time } from '@/components/ui/time'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { EnumValue } from './enum-value'
import { ImageReference } from './image-reference'
import { ImageValue } from './image-value'
import { ownImage, refersToImage } from './own-image'
import { ReferenceValue } from './reference-value'
import type { ColumnDescription, EntityRecord } from './types'
import { BooleanValue, NestedValue, NumberValue, TextValue, WordsValue } from './value-parts'

type Props = {
  value: ExactJson | undefined
  column: ColumnDescription
  record: EntityRecord
  /** In a column of numbers: the digits after the point that there is room for. */
  places?: number
  /** In a panel, with room. */
  full?: boolean
}

/** A value in the format of its type; absent, empty and false values look different. */
export function CellValue({ value, column, record, places, full }: Props) {
  if (value === null || value === undefined) {
    return <span className="text-muted-foreground/70">—</span>
  }
  if (value === '') return <span className="text-muted-foreground/70">empty text</span>
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
  return CELLS[CONSOLE_KINDS[column.kind].cell]({ value, column, places })
}

type CellProps = { value: ExactJson; column: ColumnDescription; places?: number }

const CELLS: Record<ConsoleKind['cell'], (props: CellProps) => ReactNode> = {
  boolean: ({ value }) => <BooleanValue value={value === true} />,
  time: ({ value }) => <Time value={String(value)} zone />,
  nested: ({ value }) => <NestedValue value={value} />,
  text: ({ value, column: { rules, type } }) =>
    rules.enum ? (
      <EnumValue text={String(value)} rules={rules} />
    ) : (
      <TextValue text={String(value)} type={rules.format ?? type} />
    ),
  number: NumberValue,
  words: WordsValue,
}

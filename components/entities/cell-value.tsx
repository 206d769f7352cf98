import { CheckIcon, ExternalLinkIcon, XIcon } from 'lucide-react'
import { formatValue } from '@/components/data-table/format-value'
import { BadgeList } from '@/components/ui/badge-list'
import { Time } from '@/components/ui/time'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { fillerOf } from './decimal-places'
import { EnumValue } from './enum-value'
import { locationOf } from './location'
import { LocationLink } from './location-link'
import { ReferenceValue } from './reference-value'
import type { ColumnDescription, EntityRecord } from './types'
import { isListOfWords } from './words'

type Props = {
  value: ExactJson | undefined
  column: ColumnDescription
  record: EntityRecord
  /** In a column of numbers: the digits after the point that there is room for. */
  places?: number
}

/** A value in the format of its type; absent, empty and false values look different. */
export function CellValue({ value, column, record, places }: Props) {
  if (value === null || value === undefined) {
    return <span className="text-muted-foreground/70">—</span>
  }
  if (value === '') return <span className="text-muted-foreground/70">empty text</span>
  if (column.rules.reference) {
    return <ReferenceValue reference={column.rules.reference} value={value} record={record} />
  }
  switch (column.kind) {
    case 'boolean':
      return <BooleanValue value={value === true} />
    case 'datetime':
      return <Time value={String(value)} zone />
    case 'json':
    case 'object':
    case 'array':
      return <NestedValue value={value} />
    case 'text':
      if (column.rules.enum) return <EnumValue text={String(value)} rules={column.rules} />
      return <TextValue text={String(value)} type={column.rules.format ?? column.type} />
    case 'integer':
    case 'float':
    case 'decimal':
      return <NumberValue value={value} column={column} places={places} />
    default:
      return String(value)
  }
}

/** With its digits in groups; as it is stored on hover. */
function NumberValue({ value, column, places = 0 }: Omit<Props, 'record'>) {
  const stored = plainText(value)
  const shown = formatValue(value, column)
  return (
    <span
      className="tabular after:invisible after:content-[attr(data-filler)]"
      data-filler={fillerOf(stored, places)}
      title={shown === stored ? undefined : stored}
    >
      {shown}
    </span>
  )
}

const BooleanValue = ({ value }: { value: boolean }) => {
  const Icon = value ? CheckIcon : XIcon
  return (
    <span className="inline-flex items-center gap-1">
      <Icon
        aria-hidden
        className={value ? 'size-3.5 text-success' : 'size-3.5 text-muted-foreground'}
      />
      {value ? 'Yes' : 'No'}
    </span>
  )
}

const LINK = 'text-primary underline-offset-2 hover:underline'

function TextValue({ text, type }: { text: string; type: string }) {
  if (type === 'email') {
    return (
      <a href={`mailto:${text}`} className={LINK}>
        {text}
      </a>
    )
  }
  // A stored link may be anything: only these two schemes are ever followed.
  if (type === 'url' && /^https?:\/\//i.test(text)) {
    return (
      <a href={text} target="_blank" rel="noreferrer noopener" className={LINK}>
        {text.replace(/^https?:\/\//i, '')}
        <ExternalLinkIcon aria-hidden className="ml-1 inline size-3" />
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    )
  }
  if (type === 'uuid') return <span className="font-mono text-xs">{text}</span>
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** More than a cell can show; thousands of characters per cell would slow the page. */
const MAX_TEXT = 200

/** A place as such, a list of words as words; JSON otherwise. */
function NestedValue({ value }: { value: ExactJson }) {
  const location = locationOf(value)
  if (location) return <LocationLink location={location} />
  if (isListOfWords(value)) return <BadgeList words={value.map(plainText)} />
  return <JsonPreview value={value} />
}

function JsonPreview({ value }: { value: ExactJson }) {
  const text = plainText(value)
  return (
    <span className="font-mono text-xs" title={text.slice(0, 1000)}>
      {text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}
    </span>
  )
}

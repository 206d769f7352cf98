import { CheckIcon, ExternalLinkIcon, XIcon } from 'lucide-react'
import { formatBare, formatValue } from '@/components/data-table/format-value'
import { BadgeList } from '@/components/ui/badge-list'
import { type ExactJson, isNested, plainText } from '@/lib/values/exact-json'
import { locationOf } from './location'
import { LocationLink } from './location-link'
import { fillerOf, groupedFour, type NumberLook } from './number-looks'
import type { ColumnDescription } from './types'

type NumberProps = { value: ExactJson; column: ColumnDescription; look?: NumberLook }

/** With its digits in groups and its unit; as it is stored on hover. */
export function NumberValue({ value, column, look }: NumberProps) {
  const stored = plainText(value)
  const text = formatBare(value, column)
  const shown = look?.isGrouped ? groupedFour(text) : text
  const { unit } = column.display ?? {}
  return (
    <>
      <span
        className="tabular after:invisible after:content-[attr(data-filler)]"
        data-filler={fillerOf(stored, look?.places ?? 0)}
        title={shown === stored ? undefined : stored}
      >
        {shown}
      </span>
      {unit && ` ${unit}`}
    </>
  )
}

/** In words; as it is stored on hover. */
export function WordsValue({ value, column }: Pick<NumberProps, 'value' | 'column'>) {
  const stored = plainText(value)
  const shown = formatValue(value, column)
  return shown === stored ? shown : <span title={stored}>{shown}</span>
}

export const BooleanValue = ({ value }: { value: boolean }) => {
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

export function TextValue({ text, type }: { text: string; type: string }) {
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
  return <bdi>{text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}</bdi>
}

/** More than a cell can show; thousands of characters per cell would slow the page. */
const MAX_TEXT = 200

/** A place as such, a list of words as words; JSON otherwise. */
export function NestedValue({ value }: { value: ExactJson }) {
  const location = locationOf(value)
  if (location) return <LocationLink location={location} />
  if (isEmptyList(value)) return <span className="text-muted-foreground">empty list</span>
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

const LONG_WORD = 60

export const isEmptyList = (value: ExactJson): boolean => Array.isArray(value) && value.length === 0

/** A list of short texts or numbers, which reads as words better than as JSON. */
export const isListOfWords = (value: ExactJson | undefined): value is ExactJson[] =>
  Array.isArray(value) && value.length > 0 && value.every(isWord)

const isWord = (item: ExactJson) =>
  item !== null &&
  item !== '' &&
  !isNested(item) &&
  typeof item !== 'boolean' &&
  String(item).length <= LONG_WORD

import { fieldLabel } from '@/components/data-table/field-label'
import { LazyMarkdown } from '@/components/markdown/lazy-markdown'
import { CodeBlock } from '@/components/ui/code-block'
import { Folded } from '@/components/ui/folded'
import { Badge } from '@/components/ui/status'
import { isTextKind } from '@/lib/kinds/kind'
import { type ExactJson, exactJsonText, isNested, plainText } from '@/lib/values/exact-json'
import { CellValue } from './cell-value'
import { locationOf } from './location'
import type { ColumnDescription, EntityRecord } from './types'
import { isEmptyList, isListOfWords } from './value-parts'

type Props = { value: ExactJson; column: ColumnDescription; record: EntityRecord }

/** More characters read better in the whole width. */
const LONG = 150

const isLongText = (value: ExactJson, { kind }: ColumnDescription): value is string =>
  isTextKind(kind) && typeof value === 'string' && value.length > LONG

const isDocument = (value: ExactJson) =>
  isNested(value) && !isEmptyList(value) && !isListOfWords(value) && locationOf(value) === null

const isMarkdown = (value: ExactJson, { rules }: ColumnDescription): value is string =>
  rules.contentMediaType === 'text/markdown' && typeof value === 'string' && value.trim() !== ''

/** Whether a value takes the whole width, below its name. */
export const isWide = (value: ExactJson, column: ColumnDescription): boolean =>
  isDocument(value) || isMarkdown(value, column) || isLongText(value, column)

/** Whether it is shown with a button of its own that copies it. */
export const isCopiedInPlace = isDocument

/** A value as a panel shows it: nothing is cut off, but long texts fold. */
export function FullValue({ value, column, record }: Props) {
  if (isListOfWords(value)) return <Words words={value.map(plainText)} />
  if (isDocument(value)) {
    return <CodeBlock label={fieldLabel(column)} code={exactJsonText(value, 2)} />
  }
  if (isMarkdown(value, column)) {
    return (
      <Folded characters={value.length}>
        <LazyMarkdown text={value} />
      </Folded>
    )
  }
  if (isLongText(value, column)) {
    return (
      <Folded characters={value.length}>
        <p dir="auto" className="whitespace-pre-wrap">
          {value}
        </p>
      </Folded>
    )
  }
  return <CellValue value={value} column={column} record={record} full />
}

const Words = ({ words }: { words: readonly string[] }) => (
  <ul className="flex flex-wrap gap-1">
    {words.map((word, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same word may stand there twice
      <li key={index} className="flex max-w-full">
        <Badge>
          <span className="truncate">{word}</span>
        </Badge>
      </li>
    ))}
  </ul>
)

import { useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { NamedValue } from '@/components/entities/named-value'
import type { ColumnDescription } from '@/components/entities/types'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import type { ExactJson } from '@/lib/values/exact-json'
import type { Change } from './history-queries'

type Words = { before: string; after: string }

type Props = {
  changes: readonly Change[]
  columns: readonly ColumnDescription[]
  /** What the two values of a field are to people who hear them. */
  words?: Words
}

const WORDS: Words = { before: 'before', after: 'after' }

/** More fields are shown when they are asked for. */
const FEW = 6

/** The fields of a version, each with its value before and after. */
export function VersionChanges({ changes, columns, words = WORDS }: Props) {
  const [isWhole, setWhole] = useState(false)
  if (changes.length === 0)
    return <p className="text-[13px] text-muted-foreground">No field that is shown has changed.</p>
  const shown = isWhole ? changes : changes.slice(0, FEW)
  return (
    <>
      <dl className="grid gap-x-3 gap-y-1.5 text-[13px] @md:grid-cols-[minmax(6rem,9rem)_minmax(0,1fr)]">
        {shown.map((change) => (
          <FieldChange
            key={change.field}
            change={change}
            column={columnOf(columns, change.field)}
            words={words}
          />
        ))}
      </dl>
      {changes.length > shown.length && (
        <Button size="sm" variant="ghost" className="mt-1.5 -ml-2" onClick={() => setWhole(true)}>
          Show all {countOf(changes.length, 'field')}
        </Button>
      )}
    </>
  )
}

type FieldProps = { change: Change; column: ColumnDescription; words: Words }

function FieldChange({ change, column, words }: FieldProps) {
  const { before, after, field } = change
  const isNew = before === undefined
  return (
    <div className="contents">
      <dt className="min-w-0 leading-6 break-words text-muted-foreground" title={field}>
        {fieldLabel(column)}
      </dt>
      <dd className="flex min-w-0 flex-wrap items-start gap-1.5 leading-6 max-md:pb-1">
        {!isNew && <Side side="before" label={words.before} value={before} column={column} />}
        <span className="flex max-w-full min-w-0 items-start gap-1.5">
          {!isNew && (
            <span aria-hidden className="text-muted-foreground">
              →
            </span>
          )}
          {isNew || after !== undefined ? (
            <Side side="after" label={words.after} value={after} column={column} />
          ) : (
            <span className="text-muted-foreground">no value</span>
          )}
        </span>
      </dd>
    </div>
  )
}

type SideProps = {
  side: 'before' | 'after'
  label: string
  value: ExactJson | undefined
  column: ColumnDescription
}

function Side({ side, label, value, column }: SideProps) {
  const look = side === 'before' ? 'bg-destructive-soft' : 'bg-success-soft'
  const Tag = side === 'before' ? 'del' : 'ins'
  return (
    <Tag className={`max-w-full min-w-0 rounded px-1.5 break-words no-underline ${look}`}>
      <span className="sr-only">{label}: </span>
      <NamedValue value={value} column={column} />
    </Tag>
  )
}

/** Undeclared fields are shown as they are. */
function columnOf(columns: readonly ColumnDescription[], name: string): ColumnDescription {
  const found = columns.find((column) => column.name === name)
  return { rules: {}, ...(found ?? UNDECLARED), name } as ColumnDescription
}

const UNDECLARED = { kind: 'json', type: 'json', key: false, label: null }

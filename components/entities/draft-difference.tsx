import type { Change } from '@/components/record-history/history-queries'
import { VersionChanges } from '@/components/record-history/version-changes'
import type { ColumnDescription } from './types'

type Props = { changes: readonly Change[]; columns: readonly ColumnDescription[] }

/** The fields of a draft that differ from what is stored, each with both values. */
export function DraftDifference({ changes, columns }: Props) {
  if (changes.length === 0) return null
  return (
    <section aria-label="Fields that differ" className="@container mt-2 grid gap-1.5">
      <p className="font-medium">Stored → yours</p>
      <VersionChanges changes={changes} columns={columns} words={WORDS} />
    </section>
  )
}

const WORDS = { before: 'stored', after: 'yours' }

import type { ReactNode } from 'react'
import type { ColumnDescription, EntityRecord } from '@/components/entities/types'
import { VersionChanges } from '@/components/record-history/version-changes'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { type ExactJson, exactJsonText } from '@/lib/values/exact-json'
import type { LiveValues } from './live-change'
import { type OthersChange, useOthersChange } from './use-others-change'

/** What a form does about a change by others. */
type Editing = {
  /** What is entered for a field. */
  enteredFor: (field: string) => ExactJson | undefined
  /** Shows the stored values of these fields, with what else was entered. */
  onTake: ((fields: readonly string[]) => void) | undefined
  /** Saves what was entered over exactly this state; undefined: nothing was entered that could be saved. */
  onSaveOver: ((stored: LiveValues) => void) | undefined
  /** Why nothing was saved, where that was tried on this state; the change says it better, where it is known. */
  refusal: ReactNode
}

type Props = {
  entity: string
  /** As it was read. */
  record: EntityRecord
  columns: readonly ColumnDescription[]
  editing?: Editing
}

/** Says who changed or deleted the record that is open, and how. */
export default function LiveNotice({ entity, record, columns, editing }: Props) {
  const { found, dismiss } = useOthersChange(entity, record)
  if (!found && editing?.refusal) return editing.refusal
  return (
    <div role="status" className="empty:hidden">
      {found && (
        <Notice tone={editing ? 'warning' : 'info'} title={titleOf(found)}>
          {found.isDeleted ? (
            editing && <p>What you typed can’t be saved any more. Copy what you need of it.</p>
          ) : (
            <>
              {editing?.refusal && <p>Nothing was saved. What you typed is kept.</p>}
              <Difference found={found} columns={columns} editing={editing} />
              <Actions found={found} editing={editing} onDismiss={dismiss} />
            </>
          )}
        </Notice>
      )}
    </div>
  )
}

function titleOf({ by, isDeleted }: OthersChange): string {
  if (isDeleted) return by ? `${by} deleted this record` : 'This record is no longer there'
  return `${by ?? 'Somebody'} changed this record`
}

type PartProps = { found: OthersChange; editing: Editing | undefined }

/** Fields that both changed, yours beside theirs; those that others changed alone, as they were and are. */
function Difference({ found, editing, columns }: PartProps & Pick<Props, 'columns'>) {
  const { before, after, fields } = found
  const yours = (field: string) => (editing ? editing.enteredFor(field) : before[field])
  const areBoth = (field: string) => !isSame(yours(field), before[field])
  const both = fields.filter((field) => areBoth(field) && !isSame(yours(field), after[field]))
  const others = fields.filter((field) => !areBoth(field))
  const changesOf = (names: readonly string[]) =>
    names.map((field) => ({ field, before: yours(field), after: after[field] }))
  return (
    <section aria-label="What was changed" className="@container my-1.5 grid gap-1.5">
      {both.length > 0 && (
        <>
          <p>Yours → theirs</p>
          <VersionChanges changes={changesOf(both)} columns={columns} words={WORDS} />
        </>
      )}
      {others.length > 0 && (
        <>
          {both.length > 0 && <p>Also changed</p>}
          <VersionChanges changes={changesOf(others)} columns={columns} />
        </>
      )}
    </section>
  )
}

const isSame = (a: ExactJson | undefined, b: ExactJson | undefined) =>
  exactJsonText(a ?? null) === exactJsonText(b ?? null)

const WORDS = { before: 'yours', after: 'theirs' }

function Actions({ found, editing, onDismiss }: PartProps & { onDismiss: () => void }) {
  const { onSaveOver, onTake } = editing ?? {}
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {onTake && (
        <Button size="sm" variant="primary" onClick={() => onTake(found.fields)}>
          Take theirs
        </Button>
      )}
      {onSaveOver && (
        <Button size="sm" onClick={() => onSaveOver(found.after)}>
          Save mine over it
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onDismiss}>
        {editing ? 'Keep typing' : 'OK'}
      </Button>
    </div>
  )
}

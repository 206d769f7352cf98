import { useMutation } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { differingFields, type LiveValues } from '@/components/live/live-change'
import { useIsLive } from '@/components/live/use-is-live'
import type { Change } from '@/components/record-history/history-queries'
import { VersionChanges } from '@/components/record-history/version-changes'
import { DialogButtons } from '@/components/ui/dialog'
import { Sheet } from '@/components/ui/sheet'
import { Tabs } from '@/components/ui/tabs'
import { toast } from '@/components/ui/toast'
import { useCorrections, useFocusOnRefusal } from '@/components/ui/use-corrections'
import { useSubmitKey } from '@/components/ui/use-submit-key'
import type { ExactJson } from '@/lib/values/exact-json'
import { changedTexts, type Draft, formColumns, parseText, readDraft } from './draft'
import { refreshEntity } from './entity-queries'
import { FieldControl } from './field-control'
import { sectionsOf } from './field-groups'
import { FormSection } from './form-section'
import { loadCurrent } from './load-current'
import { ForcedFields, ReadOnlyFields } from './policy-fields'
import { RecordJson } from './record-json'
import { recordText } from './record-text'
import { newOf, titleOf } from './record-title'
import { faultsOf, isStale, Refusal } from './refusal'
import { announceChange, saveRecord } from './save-record'
import type { ColumnDescription, EntityRecord } from './types'
import { usePanel } from './use-panel'
import { useRecordInput } from './use-record-input'

const LiveNotice = dynamic(() => import('@/components/live/live-notice'), { ssr: false })

type Props = {
  entity: string
  columns: ColumnDescription[]
  /** Null creates a new one. */
  record: EntityRecord | null
  etag?: string
  /** Reads the record again after someone else changed it. */
  onReload?: () => void
  onClose: () => void
}

/** A form generated from the schema, or the same as JSON; errors are shown at their fields. */
export function RecordForm(props: Props) {
  const { entity, columns, record, etag, onReload, onClose } = props
  const panel = usePanel()
  const fields = formColumns(columns, record === null)
  const initial = record ? null : panel.initial
  const input = useRecordInput({ entity, columns, fields, record, etag, initial })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const { isCorrected, correct } = useCorrections(faults)
  const area = useRef<HTMLFormElement>(null)
  useFocusOnRefusal(area, faults)
  const close = () => input.leave(onClose)
  const isLive = useIsLive(entity)
  /** Of the state that is to be overwritten, where that is not the one that was read. */
  const over = useRef<string | undefined>(undefined)
  const saving = useMutation({
    mutationFn: (values: Record<string, ExactJson>) =>
      saveRecord(entity, record, values, over.current ?? etag),
    onSuccess: async (saved, values) => {
      input.settle()
      await refreshEntity(entity)
      if (record && saved) announceChange(entity, record, values, saved)
      else toast.success(record ? 'Saved' : `Created in ${entity}`)
      if (saved) panel.open(saved.record.persistenceId)
      else onClose()
    },
    onError: (error) => setFaults(faultsOf(error)),
  })
  const submit = () => {
    const { values, errors } = readDraft(input.texts, input.before, fields)
    setFaults(errors)
    if (Object.keys(errors).length > 0) return
    if (record && Object.keys(values).length === 0) onClose()
    else saving.mutate(values)
  }
  const change = (changed: Draft) => {
    correct(...Object.keys(changed))
    input.setTexts(changed)
  }
  const { error } = saving
  const isPlaced = fields.some(({ name }) => Object.hasOwn(faults, name))
  const saveOver = async (stored: LiveValues) => {
    if (!record) return
    const now = await loadCurrent(entity, record.persistenceId).catch(() => null)
    // Of another state still, the form shows what it is first.
    if (!now || differingFields(stored, now.record).length > 0) return onReload?.()
    over.current = now.etag
    submit()
  }
  const take = (names: readonly string[]) => {
    const { before } = input
    if (input.mode === 'form' && before)
      input.setTexts(Object.fromEntries(names.map((name) => [name, before[name] ?? ''])))
    onReload?.()
  }
  const enteredFor = (name: string) => {
    const [column, text] = [fields.find((one) => one.name === name), input.texts[name]]
    if (!column || text === undefined) return record?.[name]
    const parsed = parseText(text, column)
    return 'value' in parsed ? parsed.value : text
  }
  const isJsonChanged = input.mode === 'json' && input.json !== recordText(record)
  const isChanged = input.mode === 'form' && changedTexts(input.texts, input.before ?? {}) !== null
  const stale = error && isStale(error) && <Refusal error={error} onReload={onReload} />
  const notice = (
    <>
      {record && isLive && (
        <LiveNotice
          {...{ entity, record, columns }}
          editing={{
            enteredFor,
            onTake: isJsonChanged ? undefined : take,
            onSaveOver: isChanged ? saveOver : undefined,
            refusal: stale,
          }}
        />
      )}
      {!(record && isLive) && stale}
      <DraftNotice
        restored={input.restored}
        difference={<DraftDifference changes={input.difference} columns={columns} />}
      />
    </>
  )
  const form = (
    <FieldsForm
      {...{ area, fields }}
      texts={input.texts}
      errorOf={(name) => (isCorrected(name) ? undefined : faults[name])}
      onChange={change}
      onSubmit={submit}
      after={
        <>
          <ForcedFields record={record} columns={columns} />
          {record && <ReadOnlyFields record={record} columns={columns} />}
        </>
      }
    >
      {notice}
      {error && !isPlaced && !isStale(error) && <Refusal error={error} />}
    </FieldsForm>
  )
  const json = (
    <div className="grid gap-4">
      {notice}
      <RecordJson
        record={record}
        text={input.json}
        onText={input.setJson}
        saving={saving}
        onCancel={close}
      />
    </div>
  )
  return (
    <Sheet
      onClose={close}
      title={record ? `Edit ${titleOf(record, columns)}` : newOf(entity)}
      footer={
        input.mode === 'form' && (
          <DialogButtons
            onCancel={close}
            form="record"
            busy={saving.isPending}
            label={record ? 'Save' : 'Create'}
          />
        )
      }
    >
      <Tabs
        aria-label="Editor"
        className="px-4 pt-1 pb-4"
        value={input.mode}
        onValueChange={input.setMode}
        tabs={[
          { value: 'form', label: 'Form', content: form },
          { value: 'json', label: 'JSON', content: json },
        ]}
      />
    </Sheet>
  )
}

type FieldsFormProps = {
  area: RefObject<HTMLFormElement | null>
  fields: readonly ColumnDescription[]
  texts: Draft
  errorOf: (field: string) => string | undefined
  onChange: (changed: Draft) => void
  onSubmit: () => void
  /** Above the fields. */
  children: ReactNode
  /** Below them. */
  after: ReactNode
}

/** A control for each field. */
function FieldsForm({ area, fields, texts, errorOf, ...props }: FieldsFormProps) {
  useSubmitKey(area)
  return (
    <form
      ref={area}
      id="record"
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      {props.children}
      {sectionsOf(fields).map(({ title, columns }) => (
        <FormSection key={title} title={title}>
          {columns.map((column) => (
            <FieldControl
              key={column.name}
              column={column}
              value={texts[column.name] ?? ''}
              error={errorOf(column.name)}
              texts={texts}
              onChange={(value) => props.onChange({ [column.name]: value })}
              onOthers={props.onChange}
            />
          ))}
        </FormSection>
      ))}
      {props.after}
    </form>
  )
}

type DraftDifferenceProps = { changes: readonly Change[]; columns: readonly ColumnDescription[] }

/** The fields of a draft that differ from what is stored, each with both values. */
function DraftDifference({ changes, columns }: DraftDifferenceProps) {
  if (changes.length === 0) return null
  return (
    <section aria-label="Fields that differ" className="@container mt-2 grid gap-1.5">
      <p className="font-medium">Stored → yours</p>
      <VersionChanges changes={changes} columns={columns} words={WORDS} />
    </section>
  )
}

const WORDS = { before: 'stored', after: 'yours' }

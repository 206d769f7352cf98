import { useCan } from '@/components/shell/viewer'
import { NativeSelect } from '@/components/ui/native-select'
import { countOf, formatCount } from '@/components/ui/number'
import { Segmented } from '@/components/ui/segmented'
import type { ImportPreview } from '@/lib/import/contract'
import { chooseOptions } from './check-import'
import { choiceOf, type ImportItem, type ImportMode } from './import-item'

type Props = { item: ImportItem; preview: ImportPreview }

const MODES = [
  { value: 'create', label: 'Create', hint: 'Existing records are skipped.' },
  { value: 'update', label: 'Update', hint: 'Rows without a stored record are refused.' },
  {
    value: 'upsert',
    label: 'Create or update',
    hint: 'Stored records get the columns of the file.',
  },
] as const

/** Whether records are created or changed, and how stored ones are found: said as it fits the file, and changed here. */
export function ImportOptionsForm({ item, preview: { keys, fields } }: Props) {
  const { id, entity } = item
  const { mode, key } = choiceOf(item)
  const mayCreate = useCan({ entity, action: 'write' })
  const mayUpdate = useCan({ entity, action: 'update' })
  const labelOf = (name: string) => fields.find((one) => one.name === name)?.label ?? name
  const allowed = MODES.filter(
    ({ value }) => (value === 'update' || mayCreate) && (value === 'create' || mayUpdate),
  )
  return (
    <section aria-label="What rows become" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          aria-label="Mode"
          value={mode}
          onValueChange={(chosen) => chooseOptions(id, { mode: chosen, key })}
          options={allowed}
        />
        {mode !== 'create' && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the select is inside
          <label className="flex items-center gap-2 text-[13px]">
            <span className="text-muted-foreground">Records are found by</span>
            <NativeSelect
              value={(key ?? []).join()}
              options={keys.map((one) => ({
                value: one.join(),
                label: one.map(labelOf).join(', '),
              }))}
              onValueChange={(text) =>
                chooseOptions(id, { mode, key: keys.find((one) => one.join() === text) ?? null })
              }
            />
          </label>
        )}
      </div>
      <p className="text-xs text-muted-foreground">{hintOf(item, mode)}</p>
    </section>
  )
}

/** What the file itself decided, with how many records there are; otherwise what the mode does. */
function hintOf({ options, state, check }: ImportItem, mode: ImportMode | null) {
  const chosen = MODES.find(({ value }) => value === mode)?.hint
  if (options.mode !== null || state !== 'checked' || check?.status !== 'DONE') return chosen
  const stored = check.updated + check.unchanged
  if (mode === 'update' && stored > 0)
    return `${stored === 1 ? 'This record exists: update it.' : `These ${formatCount(stored)} records exist: update them.`}`
  if (mode === 'upsert')
    return `${countOf(stored, 'record exists and is', 'records exist and are')} updated, ${countOf(check.created, 'is', 'are')} new.`
  return chosen
}

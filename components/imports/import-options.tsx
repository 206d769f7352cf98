import { useCan } from '@/components/shell/viewer'
import { NativeSelect } from '@/components/ui/native-select'
import { Segmented } from '@/components/ui/segmented'
import type { ImportPreview } from '@/lib/import/contract'
import { chooseOptions } from './check-import'
import type { ImportItem } from './import-item'

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

/** The first key whose fields are in the file; null when there is none. */
const keyIn = (columns: ImportPreview['columns'], keys: ImportPreview['keys']) =>
  keys.find((key) => key.every((name) => columns.some(({ field }) => field === name))) ?? null

/** Whether records are created or changed, and how stored ones are found. */
export function ImportOptionsForm({ item, preview: { keys, columns } }: Props) {
  const { id, entity, options } = item
  const mayCreate = useCan({ entity, action: 'write' })
  const mayUpdate = useCan({ entity, action: 'update' })
  const allowed = MODES.filter(
    ({ value }) => (value === 'update' || mayCreate) && (value === 'create' || mayUpdate),
  )
  const chosen = MODES.find(({ value }) => value === options.mode)
  return (
    <section aria-label="What rows become" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          aria-label="Mode"
          value={options.mode}
          onValueChange={(mode) =>
            chooseOptions(id, { mode, key: options.key ?? keyIn(columns, keys) })
          }
          options={allowed}
        />
        {options.mode !== 'create' && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the select is inside
          <label className="flex items-center gap-2 text-[13px]">
            <span className="text-muted-foreground">Records are found by</span>
            <NativeSelect
              value={(options.key ?? keys[0] ?? []).join()}
              options={keys.map((key) => ({ value: key.join(), label: key.join(', ') }))}
              onValueChange={(text) =>
                chooseOptions(id, { key: keys.find((key) => key.join() === text) ?? null })
              }
            />
          </label>
        )}
      </div>
      <p className="text-xs text-muted-foreground">{chosen?.hint}</p>
    </section>
  )
}

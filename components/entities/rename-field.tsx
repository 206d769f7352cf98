import { useState } from 'react'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { usePlannedEdit } from './edited-plugin'
import type { ColumnDescription } from './types'

type Props = { entity: string; pluginId: string; column: ColumnDescription; onClose: () => void }

/** Asks for the new name of a field, and plans the next version of its plugin with it. */
export default function RenameField({ entity, pluginId, column, onClose }: Props) {
  const [to, setTo] = useState(column.name)
  const [label, setLabel] = useState(column.label ?? '')
  const isLocal = pluginId.startsWith('local.')
  const plan = usePlannedEdit(pluginId)
  const start = () => {
    const isLabelled = label.trim() !== (column.label ?? '')
    const renamed = { entity, field: column.name, to: to.trim() }
    plan.mutate({
      type: 'rename-field',
      ...renamed,
      ...(isLabelled ? { label: label.trim() } : {}),
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Rename ${column.name}`}
      description={`A new version of the plugin ${pluginId} is planned. Nothing changes until you install it; values, views, indexes and references follow, and the install can be rolled back.`}
      submitLabel="Show the plan"
      attempt={plan}
      fields={['edits.0.to', 'edits.0.label', 'edits.0.field']}
      onSubmit={start}
    >
      <FormField
        name="edits.0.to"
        label="New name"
        required
        hint="As API clients use it: requests with the former name are refused from then on"
      >
        <NameInput value={to} onValueChange={setTo} />
      </FormField>
      <FormField name="edits.0.label" label="Label" hint="As people see it">
        <Input value={label} autoComplete="off" onChange={({ target }) => setLabel(target.value)} />
      </FormField>
      {!isLocal && (
        <p className="text-[13px] text-muted-foreground">
          The author of {pluginId} doesn’t know the new name: before you install a later version of
          it, check in its plan that it is kept.
        </p>
      )}
    </FormDialog>
  )
}

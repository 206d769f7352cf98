import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ModelChange, planOptions } from '@/components/model/model-queries'
import PlannedEdit from '@/components/model/planned-edit'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { getQueryClient } from '@/lib/query/client'
import type { ColumnDescription } from './types'

type Props = { entity: string; pluginId: string; column: ColumnDescription; onClose: () => void }

/** Asks for the new name of a field, shows what its plugin's next version would do with it, and applies that. */
export default function RenameField({ entity, pluginId, column, onClose }: Props) {
  const [to, setTo] = useState(column.name)
  const [label, setLabel] = useState(column.label ?? '')
  const [planned, setPlanned] = useState<ModelChange | null>(null)
  const name = to.trim()
  const isSame = name === column.name
  const isLocal = pluginId.startsWith('local.')
  const plan = useMutation({
    mutationFn: (change: ModelChange) => getQueryClient().fetchQuery(planOptions(change)),
    onSuccess: (_, change) => setPlanned(change),
  })
  const start = () => {
    const isLabelled = label.trim() !== (column.label ?? '')
    const renamed = { type: 'rename-field' as const, entity, field: column.name, to: name }
    const edit = { ...renamed, ...(isLabelled ? { label: label.trim() } : {}) }
    plan.mutate({ plugin: pluginId, edits: [edit] })
  }
  if (planned)
    return (
      <PlannedEdit
        title={`Rename ${column.name}`}
        change={planned}
        words={isSame ? `Label ${column.name}` : `Rename ${column.name} to ${name}`}
        done={isSame ? `${name} has a new label` : `${column.name} was renamed to ${name}`}
        discardLabel="Back"
        onDiscard={() => setPlanned(null)}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      onClose={onClose}
      title={`Rename ${column.name}`}
      description={`Nothing changes until you apply the plan. Values, views, indexes and references follow, and the version of ${pluginId} can be rolled back.`}
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

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { installQueue } from '@/components/plugins/install-queue'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { useNavigate } from '@/components/ui/pending-page'
import { failure, fetchSignedIn } from '@/lib/http/client'
import type { EditBody } from '@/lib/lifecycle/contract'
import type { ColumnDescription } from './types'

type Edit = EditBody['edits'][number]

type Props = { entity: string; pluginId: string; column: ColumnDescription; onClose: () => void }

/** Asks for the new name of a field, and plans the next version of its plugin with it. */
export default function RenameField({ entity, pluginId, column, onClose }: Props) {
  const [to, setTo] = useState(column.name)
  const [label, setLabel] = useState(column.label ?? '')
  const navigate = useNavigate()
  const isLocal = pluginId.startsWith('local.')
  const plan = useMutation({
    mutationFn: async () => {
      const edit: Edit = { type: 'rename-field', entity, field: column.name, to: to.trim() }
      if (label.trim() !== (column.label ?? '')) edit.label = label.trim()
      return editedPlugin(pluginId, [edit])
    },
    onSuccess: (archive) => {
      installQueue.add([archive], undefined, 'atomic')
      navigate('/plugins')
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Rename ${column.name}`}
      description={`A new version of the plugin ${pluginId} is planned. Nothing changes until you install it; values, views, indexes and references follow, and the install can be rolled back.`}
      submitLabel="Show the plan"
      attempt={plan}
      fields={['edits.0.to', 'edits.0.label', 'edits.0.field']}
      onSubmit={() => plan.mutate()}
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

/** The next version of a plugin with edited definitions, as an archive. Throws `ApiError`. */
async function editedPlugin(pluginId: string, edits: readonly Edit[]): Promise<File> {
  const response = await fetchSignedIn(`/api/plugins/${encodeURIComponent(pluginId)}/export`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ edits }),
  })
  if (response.ok) return new File([await response.blob()], `${pluginId}.zip`)
  const body: unknown = await response.json().catch(() => undefined)
  throw failure(response.status, body, response.headers.get('x-request-id'))
}

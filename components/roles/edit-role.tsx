import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { planDefinition } from '@/components/model/plan-definition'
import PlannedEdit from '@/components/model/planned-edit'
import { announceChange } from '@/components/policies/announce-change'
import { useRightsMutation } from '@/components/policies/policy-queries'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput, Textarea } from '@/components/ui/input'
import type { Role } from '@/lib/policies/contract'
import { createRole, describeRole } from './role-queries'

type EditProps = { role: Role; onClose: () => void }

/** What a role is called and what it is for; its name stays, as users and keys have it. */
export default function EditRole({ role, onClose }: EditProps) {
  const [label, setLabel] = useState(role.label ?? '')
  const [description, setDescription] = useState(role.description ?? '')
  const change = useRightsMutation(describeRole)
  const planning = useMutation({ mutationFn: planDefinition })
  const values = { label: label.trim() || null, description: description.trim() || null }
  if (planning.data)
    return (
      <PlannedEdit
        title={`Edit the role ${role.name}`}
        change={planning.data}
        words={`Change the role ${role.name} of ${role.pluginId}`}
        done={`Role ${role.name} changed`}
        discardLabel="Back"
        onDiscard={() => planning.reset()}
        onClose={onClose}
      />
    )
  if (role.pluginId !== null)
    return (
      <FormDialog
        onClose={onClose}
        title={`Edit the role ${role.name}`}
        description="It becomes the next version of its plugin, after its plan was shown."
        submitLabel="Show the plan"
        attempt={planning}
        fields={['label', 'description']}
        onSubmit={() => {
          const { label, description } = role
          const former = { label, description }
          planning.mutate({ kind: 'role', name: role.name, values, former })
        }}
      >
        <RoleWords {...{ label, setLabel, description, setDescription }} />
      </FormDialog>
    )
  return (
    <FormDialog
      onClose={onClose}
      title={`Edit the role ${role.name}`}
      description="Its name stays, since users and keys have it."
      submitLabel="Save"
      attempt={change}
      fields={['label', 'description']}
      onSubmit={() =>
        change.mutate(
          { name: role.name, ...values },
          {
            onSuccess: ({ batchId }) => {
              announceChange(`Role ${role.name} saved`, batchId)
              onClose()
            },
          },
        )
      }
    >
      <RoleWords {...{ label, setLabel, description, setDescription }} />
    </FormDialog>
  )
}

type WordsProps = {
  label: string
  setLabel: (text: string) => void
  description: string
  setDescription: (text: string) => void
}

const RoleWords = ({ label, setLabel, description, setDescription }: WordsProps) => (
  <>
    <FormField name="label" label="Label" hint="As people call it">
      <Input value={label} autoComplete="off" onChange={({ target }) => setLabel(target.value)} />
    </FormField>
    <FormField name="description" label="Description" hint="What it is for">
      <Textarea
        rows={3}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
    </FormField>
  </>
)

type NewProps = {
  onClose: () => void
  /** Without it the page of the new role is opened. */
  onCreated?: (role: Role) => void
}

/** Asks for the name of a new role, which has no rights yet. */
export function NewRole({ onClose, onCreated }: NewProps) {
  const router = useRouter()
  const [name, setName] = useState('')
  const [label, setLabel] = useState('')
  const [description, setDescription] = useState('')
  const creation = useRightsMutation(createRole)
  return (
    <FormDialog
      onClose={onClose}
      title="New role"
      description="It has no rights until policies give it some: that is the next step."
      submitLabel="Create role"
      attempt={creation}
      fields={['name', 'label', 'description']}
      onSubmit={() =>
        creation.mutate(
          { name, label: label.trim() || undefined, description: description.trim() || undefined },
          {
            onSuccess: (role) => {
              onClose()
              if (onCreated) onCreated(role)
              else router.push(`/roles/${encodeURIComponent(role.name)}`)
            },
          },
        )
      }
    >
      <FormField name="name" label="Name" required hint="What users and keys bear, such as Clerk">
        <NameInput value={name} onValueChange={setName} autoComplete="off" />
      </FormField>
      <RoleWords {...{ label, setLabel, description, setDescription }} />
    </FormDialog>
  )
}

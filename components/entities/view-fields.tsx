import { useId } from 'react'
import { useCan, useViewer } from '@/components/shell/viewer'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { FormField, useFieldError } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import { BUILT_IN_ROLES } from '@/lib/auth/rights'
import type { SavedView } from '@/lib/views/contract'

export type ViewDraft = Pick<
  SavedView,
  'name' | 'visibility' | 'defaultForMe' | 'defaultForRoles'
> & { role: string }

type Props = {
  entity: string
  draft: ViewDraft
  /** May choose what the entity opens with for roles. */
  mayManage: boolean
  onChange: (draft: ViewDraft) => void
}

const AUDIENCES = [
  { value: 'private', label: 'Only me' },
  { value: 'role', label: 'A role' },
  { value: 'everyone', label: 'Everyone' },
] as const

/** Without the right to publish: what the view is, and back to oneself alone. */
const ownAnd = (visibility: ViewDraft['visibility']) =>
  AUDIENCES.filter(({ value }) => value === 'private' || value === visibility)

/** Name, audience and defaults of a view. */
export function ViewFields({ entity, draft, mayManage, onChange }: Props) {
  const { visibility } = draft
  const mayPublish = useCan('views:publish')
  const set = (change: Partial<ViewDraft>) => onChange({ ...draft, ...change })
  const roles = useKnownRoles()
  return (
    <>
      <FormField name="name" label="Name" required>
        <NameInput maxLength={80} value={draft.name} onValueChange={(name) => set({ name })} />
      </FormField>
      <FormField
        label="Visible to"
        hint={visibility === 'everyone' ? `Everyone who can read ${entity}.` : undefined}
      >
        <Select
          value={visibility}
          onValueChange={(next) => set({ visibility: next })}
          options={mayPublish ? AUDIENCES : ownAnd(visibility)}
        />
      </FormField>
      {visibility === 'role' && (
        <RoleField value={draft.role} roles={roles} onChange={(role) => set({ role })} />
      )}
      <LabelledCheckbox
        label="Default for me"
        hint={`${entity} opens with this view until you choose another.`}
        checked={draft.defaultForMe}
        onCheckedChange={(defaultForMe) => set({ defaultForMe })}
      />
      {mayManage && visibility !== 'private' && (
        <DefaultRoles
          value={draft.defaultForRoles}
          roles={roles}
          onChange={(defaultForRoles) => set({ defaultForRoles })}
        />
      )}
    </>
  )
}

type RoleProps = { value: string; roles: readonly string[]; onChange: (role: string) => void }

function RoleField({ value, roles, onChange }: RoleProps) {
  const listId = useId()
  return (
    <FormField
      name="role"
      label="Role"
      required
      hint="Users with this role and managers of users see it."
    >
      <NameInput maxLength={64} list={listId} value={value} onValueChange={onChange} />
      <datalist id={listId}>
        {roles.map((role) => (
          <option key={role} value={role} />
        ))}
      </datalist>
    </FormField>
  )
}

type RolesProps = {
  value: readonly string[]
  roles: readonly string[]
  onChange: (roles: string[]) => void
}

function DefaultRoles({ value, roles, onChange }: RolesProps) {
  return (
    <FormField
      name="defaultForRoles"
      label="Default for roles"
      hint="For users with these roles who have no default of their own."
    >
      <TagInput
        value={value}
        onValueChange={onChange}
        suggestions={roles}
        invalid={Boolean(useFieldError('defaultForRoles'))}
      />
    </FormField>
  )
}

/** The built-in roles and those of the user. */
function useKnownRoles(): string[] {
  const { roles } = useViewer()
  return [...new Set([...BUILT_IN_ROLES, ...roles])]
}

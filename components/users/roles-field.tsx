'use client'
import { FormField, useFieldError } from '@/components/ui/form-field'
import { Notice } from '@/components/ui/notice'
import { TagInput } from '@/components/ui/tag-input'
import { useSearch } from '@/lib/query/search'
import { BUILT_IN_ROLES, namedRoles, type PolicyRow, rolesWithoutRights } from './granting-roles'

type Props = {
  roles: string[]
  onChange: (roles: string[]) => void
  hint: string
  required?: boolean
}

const POLICIES = {
  fields: ['principals', 'allow'],
  pagination: { page: 0, size: 1000 },
  count: 'none',
} as const

/** Names of roles, with a warning about those that grant nothing: they may be misspelt. */
export function RolesField({ roles, onChange, hint, required }: Props) {
  const policies = useSearch<PolicyRow>('EnginePolicies', {
    ...POLICIES,
    fields: [...POLICIES.fields],
  })
  const known = policies.data?.data
  const idle = known ? rolesWithoutRights(roles, known) : []
  return (
    <div className="grid gap-2">
      <FormField name="roles" label="Roles" required={required} hint={hint}>
        <TagInput
          aria-label="Roles"
          value={roles}
          onValueChange={onChange}
          suggestions={[...BUILT_IN_ROLES, ...namedRoles(known ?? [])]}
          invalid={Boolean(useFieldError('roles'))}
        />
      </FormField>
      <div role="status">{idle.length > 0 && <GrantsNothing roles={idle} />}</div>
    </div>
  )
}

const GrantsNothing = ({ roles }: { roles: readonly string[] }) => (
  <Notice
    tone="warning"
    title={`${listOf(roles)} ${roles.length === 1 ? 'grants' : 'grant'} nothing`}
  >
    No policy of an installed plugin grants anything to {roles.length === 1 ? 'it' : 'them'}. Check
    the spelling, or install the plugin that brings the policy.
  </Notice>
)

const NAMES = new Intl.ListFormat('en', { type: 'conjunction' })
const listOf = (roles: readonly string[]) => NAMES.format(roles.map((role) => `“${role}”`))

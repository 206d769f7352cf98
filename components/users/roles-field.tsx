import { useQueries, useQuery } from '@tanstack/react-query'
import { CircleAlertIcon } from 'lucide-react'
import { useContext, useId, useState } from 'react'
import { BUILT_IN_WORDS, isBuiltIn } from '@/components/roles/right-words'
import { roleOptions, rolesOptions } from '@/components/roles/role-queries'
import { Checkbox } from '@/components/ui/checkbox'
import { Correct, useFieldError } from '@/components/ui/form-field'
import { Notice } from '@/components/ui/notice'
import { TagInput } from '@/components/ui/tag-input'
import { BUILT_IN_ROLES, isSameRole } from '@/lib/auth/rights'
import type { Role } from '@/lib/policies/contract'

type Props = {
  roles: string[]
  onChange: (roles: string[]) => void
  hint?: string
  required?: boolean
}

/**
 * The built-in roles as cards; other names behind a card of their own, with a warning about those that
 * grant nothing: they may be misspelt.
 */
export function RolesField({ roles, hint, required, ...props }: Props) {
  const correct = useContext(Correct)
  const onChange = (next: string[]) => {
    correct('roles')
    props.onChange(next)
  }
  const error = useFieldError('roles')
  const others = roles.filter((role) => !isBuiltIn(role))
  const [showsOthers, setShowsOthers] = useState(others.length > 0)
  const without = (role: string) => roles.filter((each) => !isSameRole(each, role))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">
        Roles
        {required && (
          <span aria-hidden className="ml-0.5 text-destructive">
            *
          </span>
        )}
      </legend>
      <RoleCards
        roles={roles}
        invalid={Boolean(error)}
        onToggle={(role, on) => onChange(on ? [...roles, role] : without(role))}
      />
      <RoleCard
        label="Other role"
        hint="A name that policies of plugins give rights to, such as those of a department."
        checked={showsOthers}
        onChange={(on) => {
          setShowsOthers(on)
          if (!on) onChange(roles.filter(isBuiltIn))
        }}
      />
      {showsOthers && (
        <OtherRoles
          names={others}
          onChange={(names) => onChange([...roles.filter(isBuiltIn), ...names])}
        />
      )}
      {hint && <p className="text-xs text-muted-foreground">{hint}</p>}
      {error && (
        <p role="alert" className="flex items-start gap-1.5 text-xs text-destructive">
          <CircleAlertIcon aria-hidden className="mt-px size-3.5 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}

type OthersProps = { names: string[]; onChange: (names: string[]) => void }

function OtherRoles({ names, onChange }: OthersProps) {
  const all = useQuery(rolesOptions())
  const known = useQueries({ queries: names.map(roleOptions) }).flatMap(({ data }) => data ?? [])
  const idle = known.filter(({ grants }) => !grants).map(({ name }) => name)
  const suggestions = all.data?.data.filter(({ builtIn, grants }) => !builtIn && grants) ?? []
  return (
    <div className="grid gap-2">
      <TagInput
        aria-label="Other roles"
        placeholder="Name of a role"
        value={names}
        onValueChange={onChange}
        suggestions={suggestions.map(({ name }) => name)}
      />
      <Descriptions roles={known} />
      <div role="status">{idle.length > 0 && <GrantsNothing roles={idle} />}</div>
    </div>
  )
}

/** What is known of the other roles, in the words of their plugins. */
function Descriptions({ roles }: { roles: readonly Role[] }) {
  const described = roles.filter(({ grants }) => grants)
  return (
    <ul className="grid gap-0.5 text-xs text-muted-foreground empty:hidden">
      {described.map(({ name, label, description, policies }) => (
        <li key={name}>
          <span className="font-medium">{name}</span>: {description ?? label ?? 'gets its rights'}{' '}
          by {LIST.format(policies.map((policy) => `“${policy}”`))}
        </li>
      ))}
    </ul>
  )
}

const GrantsNothing = ({ roles }: { roles: readonly string[] }) => (
  <Notice
    tone="warning"
    title={`${LIST.format(roles.map((role) => `“${role}”`))} ${roles.length === 1 ? 'grants' : 'grant'} nothing`}
  >
    No policy of an installed plugin grants anything to {roles.length === 1 ? 'it' : 'them'}. Check
    the spelling, or install the plugin that brings the policy.
  </Notice>
)

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

type RoleCardsProps = {
  roles: readonly string[]
  onToggle: (role: string, on: boolean) => void
  invalid: boolean
}

/** The built-in roles, each with what it lets somebody do. */
const RoleCards = ({ roles, onToggle, invalid }: RoleCardsProps) => (
  <div className="grid gap-2 sm:grid-cols-3">
    {BUILT_IN_ROLES.map((role) => (
      <RoleCard
        key={role}
        label={BUILT_IN_WORDS[role].label}
        note={role}
        hint={BUILT_IN_WORDS[role].may}
        checked={roles.some((each) => isSameRole(each, role))}
        invalid={invalid}
        onChange={(on) => onToggle(role, on)}
      />
    ))}
  </div>
)

type CardProps = {
  label: string
  /** Its technical name. */
  note?: string
  hint: string
  checked: boolean
  invalid?: boolean
  onChange: (checked: boolean) => void
}

function RoleCard({ label, note, hint, checked, invalid, onChange }: CardProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a real input inside
    <label className="flex cursor-pointer items-start gap-3 rounded-lg border p-3 transition-colors hover:bg-accent/50 has-checked:border-primary has-checked:bg-primary-soft/50">
      <Checkbox
        className="mt-0.5"
        aria-label={label}
        aria-describedby={id}
        {...(invalid && { 'aria-invalid': true })}
        checked={checked}
        onCheckedChange={onChange}
      />
      <span className="grid gap-0.5">
        <span className="flex flex-wrap items-baseline gap-x-2 font-medium">
          {label}
          {note && <span className="font-mono text-xs text-muted-foreground">{note}</span>}
        </span>
        <span id={id} className="text-xs text-muted-foreground">
          {hint}
        </span>
      </span>
    </label>
  )
}

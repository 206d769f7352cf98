'use client'
import { useId } from 'react'
import { BUILT_IN_WORDS } from '@/components/roles/right-words'
import { Checkbox } from '@/components/ui/checkbox'
import { BUILT_IN_ROLES, isSameRole } from '@/lib/auth/rights'

type Props = {
  roles: readonly string[]
  onToggle: (role: string, on: boolean) => void
  invalid: boolean
}

/** The built-in roles, each with what it lets somebody do. */
export const RoleCards = ({ roles, onToggle, invalid }: Props) => (
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

export function RoleCard({ label, note, hint, checked, invalid, onChange }: CardProps) {
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

import { useQueries, useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useContext, useState } from 'react'
import { policiesOptions } from '@/components/policies/policy-queries'
import { BUILT_IN_WORDS } from '@/components/roles/right-words'
import { roleOptions, rolesOptions } from '@/components/roles/role-queries'
import { Button } from '@/components/ui/button'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { Correct, useFieldError } from '@/components/ui/form-field'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/state'
import { isSameRole } from '@/lib/auth/rights'
import type { Role } from '@/lib/policies/contract'

const NewRole = dynamic(() => import('@/components/roles/edit-role').then((all) => all.NewRole), {
  ssr: false,
})

type Props = { roles: string[]; onChange: (roles: string[]) => void }

/** The roles that a key has in place of its owner's; a new one can be made on the spot. */
export function KeyRoles({ roles, onChange: onRoles }: Props) {
  const correct = useContext(Correct)
  const error = useFieldError('roles')
  const all = useQuery(rolesOptions())
  const [isCreating, setCreating] = useState(false)
  const onChange = (next: string[]) => {
    correct('roles')
    onRoles(next)
  }
  const isChosen = (name: string) => roles.some((each) => isSameRole(each, name))
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Roles of the key</legend>
      {error && (
        <p role="alert" className="text-[13px] text-destructive">
          {error}
        </p>
      )}
      {all.data ? (
        <div className="grid max-h-56 gap-2.5 overflow-y-auto rounded-lg border p-3">
          {all.data.data.map((role) => (
            <LabelledCheckbox
              key={role.name}
              label={role.name}
              hint={hintOf(role)}
              checked={isChosen(role.name)}
              onCheckedChange={(on) =>
                onChange(
                  on ? [...roles, role.name] : roles.filter((each) => !isSameRole(each, role.name)),
                )
              }
            />
          ))}
        </div>
      ) : (
        <Skeleton className="h-40" />
      )}
      <Button className="justify-self-start" size="sm" onClick={() => setCreating(true)}>
        <PlusIcon aria-hidden />
        New role
      </Button>
      {roles.map((name) => (
        <Warning key={name} name={name} />
      ))}
      {/* Its form is not a part of the one around, which must not be sent with it. */}
      <div className="contents" onSubmit={(event) => event.stopPropagation()}>
        {isCreating && (
          <NewRole
            onClose={() => setCreating(false)}
            onCreated={({ name }) => onChange([...roles, name])}
          />
        )}
      </div>
    </fieldset>
  )
}

function hintOf({ name, label, description, grants }: Role): string {
  const builtIn = BUILT_IN_WORDS[name as keyof typeof BUILT_IN_WORDS]
  return builtIn?.may ?? description ?? label ?? (grants ? '' : 'Grants nothing yet')
}

/** What a key gets less of a role than people do: nothing at all, or not what is about the person. */
function Warning({ name }: { name: string }) {
  const [role, policies] = useQueries({ queries: [roleOptions(name), policiesOptions(name)] })
  const isPersonal = policies.data?.some(({ where, set, check }) =>
    JSON.stringify([where, set, check]).includes('"$me'),
  )
  const isIdle = role.data && !role.data.grants
  if (!isIdle && !isPersonal) return null
  return (
    <Notice
      tone="warning"
      role="status"
      title={isIdle ? `${name} grants nothing yet` : `Not all of ${name} is for a key`}
      actions={
        <a
          href={`/roles/${encodeURIComponent(name)}`}
          target="_blank"
          rel="noreferrer"
          className="rounded text-[13px] whitespace-nowrap underline underline-offset-2"
        >
          Its rights
          <span className="sr-only"> (in another tab)</span>
        </a>
      }
    >
      {isIdle
        ? 'Say on its page what it may do; that counts for the key at once.'
        : 'Some of its policies compare with the id or the profile of the person who asks. There is no person behind such a key, so these policies give it nothing.'}
    </Notice>
  )
}

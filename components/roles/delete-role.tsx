import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { announceChange } from '@/components/policies/announce-change'
import { useRightsMutation } from '@/components/policies/policy-queries'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { countOf } from '@/components/ui/number'
import { RadioCards } from '@/components/ui/radio-cards'
import { Select } from '@/components/ui/select'
import { isSameRole } from '@/lib/auth/rights'
import { ApiError } from '@/lib/http/client'
import type { Role } from '@/lib/policies/contract'
import { deleteRole, rolesOptions } from './role-queries'

type Props = { role: Role; onClose: () => void }

/** How many have the role, as the refusal of its deletion says. */
type Uses = { users: number; keys: number; policies: number }

type Way = 'replace' | 'remove'

/** Asks before a role is deleted; one in use, what becomes of its users and keys. */
export default function DeleteRole({ role, onClose }: Props) {
  const router = useRouter()
  const deletion = useRightsMutation(deleteRole)
  const uses = usesIn(deletion.error)
  const [way, setWay] = useState<Way>('replace')
  const [replacement, setReplacement] = useState<string | null>(null)
  const send = (how: { users?: 'remove'; replacement?: string }) =>
    deletion.mutate(
      { name: role.name, ...how },
      {
        onSuccess: (batchId) => {
          announceChange(`Role ${role.name} deleted`, batchId)
          router.push('/roles?view=roles')
        },
        // Policies alone go with their role, as the question says.
        onError: (error) => {
          const found = usesIn(error)
          if (!how.users && found && found.users + found.keys === 0) send({ users: 'remove' })
        },
      },
    )
  const isAsked = uses !== null && uses.users + uses.keys > 0
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete the role ${role.name}?`}
      description="Policies that were made here for it alone go with it. It can be undone for 7 days."
      confirmLabel="Delete role"
      attempt={{ isPending: deletion.isPending, error: uses ? null : deletion.error }}
      disabled={isAsked && way === 'replace' && replacement === null}
      onConfirm={() => {
        if (!isAsked) send({})
        else if (way === 'remove') send({ users: 'remove' })
        else if (replacement) send({ replacement })
      }}
    >
      {isAsked && (
        <div className="grid gap-3">
          <p role="status" className="font-medium">
            Given to {holders(uses)}. What becomes of them?
          </p>
          <RadioCards<Way>
            aria-label="What becomes of its users and keys"
            value={way}
            onValueChange={setWay}
            choices={[
              {
                value: 'replace',
                label: 'They get another role',
                hint: 'In place of this one. Its policies then concern that role.',
              },
              {
                value: 'remove',
                label: 'They lose this role',
                hint: 'They keep their other roles. Who has no other can do nothing.',
              },
            ]}
          />
          {way === 'replace' && (
            <Replacement of={role.name} value={replacement} onChange={setReplacement} />
          )}
        </div>
      )}
    </ConfirmDialog>
  )
}

function usesIn(error: Error | null): Uses | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { users, keys, policies } = error.meta as Partial<Uses>
  return users === undefined ? null : { users, keys: keys ?? 0, policies: policies ?? 0 }
}

type ReplacementProps = { of: string; value: string | null; onChange: (role: string) => void }

function Replacement({ of, value, onChange }: ReplacementProps) {
  const roles = useQuery(rolesOptions())
  const others = roles.data?.data.filter(({ name }) => !isSameRole(name, of)) ?? []
  return (
    <Select
      aria-label="Role in its place"
      placeholder="Choose a role"
      value={value}
      onValueChange={onChange}
      options={others.map(({ name }) => ({ value: name, label: name }))}
    />
  )
}

/** `3 users and 1 API key`, without what there is none of. */
const holders = ({ users, keys }: Uses): string =>
  [users > 0 && countOf(users, 'user'), keys > 0 && countOf(keys, 'API key')]
    .filter(Boolean)
    .join(' and ')

'use client'
import { useQuery } from '@tanstack/react-query'
import { PencilIcon, Trash2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { isMadeHere } from '@/components/model/made-here'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { policiesOptions } from '@/components/policies/policy-queries'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { ViewAsLink } from '@/components/view-as/view-as-link'
import { GUEST_ROLE, isSameRole } from '@/lib/auth/rights'
import type { Role } from '@/lib/policies/contract'
import { GrantsTable } from './grants-table'
import { BUILT_IN_WORDS, PERMISSION_WORDS } from './right-words'
import { roleOptions } from './role-queries'

const EditRole = dynamic(() => import('./edit-role'), { ssr: false })
const DeleteRole = dynamic(() => import('./delete-role'), { ssr: false })
const RemoveDefinition = dynamic(() => import('@/components/model/remove-definition'), {
  ssr: false,
})

/** A role: what it may do with each entity, which is changed here. */
export function RolePage({ name }: { name: string }) {
  const role = useQuery(roleOptions(name))
  useOwnCrumb(role.data?.name)
  if (role.error) return <ErrorState of={role} />
  if (!role.data) return <Skeleton className="m-6 h-96 rounded-lg" />
  return <Loaded role={role.data} />
}

function Loaded({ role }: { role: Role }) {
  const { name, builtIn } = role
  const policies = useQuery(policiesOptions(name))
  const entities = useQuery(entitiesOptions)
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const mayEditPlugins = useCan('plugins:install')
  const isOther = builtIn || isGuest(name)
  const isOwn = !isOther && role.pluginId === null
  const mayEdit = isOwn || (!isOther && mayEditPlugins)
  return (
    <Page
      stacked
      title={name}
      aside={<Origin role={role} />}
      description={<Description role={role} />}
      actions={
        <>
          <ViewAsLink as={`role:${name}`} name={name} />
          {mayEdit && (
            <Button onClick={() => setDialog('edit')}>
              <PencilIcon aria-hidden />
              Edit
            </Button>
          )}
          {mayEditPlugins && !isOther && isMadeHere(role.pluginId) && (
            <Button variant="destructive-outline" onClick={() => setDialog('remove')}>
              <Trash2Icon aria-hidden />
              Remove
            </Button>
          )}
          {isOwn && (
            <Button variant="destructive-outline" onClick={() => setDialog('delete')}>
              <Trash2Icon aria-hidden />
              Delete
            </Button>
          )}
        </>
      }
    >
      <RoleFacts role={role} />
      {policies.error && <ErrorState of={policies} />}
      {name === 'ADMIN' && (
        <Notice title="Policies do not concern administrators">
          They may do everything, so that no policy can lock them out.
        </Notice>
      )}
      {policies.data && entities.data ? (
        <GrantsTable role={name} policies={policies.data} entities={entities.data.data} />
      ) : (
        !policies.error && <Skeleton className="h-64 rounded-lg" />
      )}
      {dialog === 'edit' && <EditRole role={role} onClose={close} />}
      {dialog === 'delete' && <DeleteRole role={role} onClose={close} />}
      {dialog === 'remove' && isMadeHere(role.pluginId) && (
        <RemoveDefinition {...{ plugin: role.pluginId, kind: 'role', name }} onClose={close} />
      )}
    </Page>
  )
}

const isGuest = (name: string) => isSameRole(name, GUEST_ROLE)

function Origin({ role: { name, builtIn, pluginId } }: { role: Role }) {
  const pluginName = usePluginNames()
  if (builtIn || isGuest(name)) return <Badge>Built in</Badge>
  return <Badge>{pluginId ? `From ${pluginName(pluginId)}` : 'Made here'}</Badge>
}

function Description({ role: { name, label, description } }: { role: Role }) {
  if (isGuest(name))
    return 'What requests without a credential may do, on servers with ANONYMOUS_ACCESS. Nothing until a policy names it.'
  const builtIn = BUILT_IN_WORDS[name as keyof typeof BUILT_IN_WORDS]
  const text = builtIn?.may ?? [label, description].filter(Boolean).join(': ')
  return text || 'What it may do with the records of each entity. Press a cell to change it.'
}

/** Who has it, and what it gives besides records. */
function RoleFacts({ role: { name, users, permissions } }: { role: Role }) {
  const filter = JSON.stringify([{ field: 'roles', operator: 'icontains', value: name }])
  const others = permissions.map((each) => PERMISSION_WORDS[each])
  return (
    <p className="text-[13px] text-muted-foreground">
      <Link
        href={`/users?filter=${encodeURIComponent(filter)}`}
        className="text-primary underline underline-offset-2"
      >
        {countOf(users, 'user')}
      </Link>
      {others.length > 0 && name !== 'ADMIN' && ` · Other rights: ${others.join(', ')}`}
    </p>
  )
}

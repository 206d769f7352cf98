'use client'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon, ServerIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Page } from '@/components/shell/page'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import type { OtherServer } from '@/lib/servers/contract'
import { PromotionsCard } from './promotions-card'
import { ServerItem } from './server-item'
import { deleteServer, serversOptions, useServerMutation } from './server-queries'

const ServerDialog = dynamic(() => import('./server-dialog').then((all) => all.ServerDialog), {
  ssr: false,
})
const PromoteDialog = dynamic(() => import('./promote-dialog').then((all) => all.PromoteDialog), {
  ssr: false,
})

type Open =
  | { what: 'edit'; server: OtherServer | null }
  | { what: 'pull' | 'push' | 'remove'; server: OtherServer }
  | null

/** Other servers, and what was brought from or sent to them. */
export function ServersView() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Page
      width="narrow"
      title="Other servers"
      description="What another server has, such as that for tests, is compared with this one and brought here, or the other way round: plugins with their records, roles, policies, shared views and webhooks. Users and secrets stay where they are."
      actions={
        <Button variant="primary" onClick={() => setOpen({ what: 'edit', server: null })}>
          <PlusIcon aria-hidden />
          Add a server
        </Button>
      }
    >
      <ServersCard onOpen={setOpen} />
      <PromotionsCard />
      {open?.what === 'edit' && <ServerDialog server={open.server} onClose={close} />}
      {(open?.what === 'pull' || open?.what === 'push') && (
        <PromoteDialog server={open.server} direction={open.what} onClose={close} />
      )}
      {open?.what === 'remove' && <RemoveServer server={open.server} onClose={close} />}
    </Page>
  )
}

function ServersCard({ onOpen }: { onOpen: (open: Open) => void }) {
  const servers = useQuery(serversOptions)
  if (servers.isPending) return <Skeleton className="h-40 rounded-lg" />
  if (servers.error) return <ErrorState of={servers} />
  return (
    <Card title="Servers" flush>
      {servers.data.length === 0 ? (
        <EmptyState icon={ServerIcon} title="No other servers yet">
          With the address of another server and an API key of an administrator there, both can be
          compared.
        </EmptyState>
      ) : (
        <ul className="divide-y">
          {servers.data.map((server) => (
            <ServerItem
              key={server.id}
              server={server}
              onPromote={(what) => onOpen({ what, server })}
              onEdit={() => onOpen({ what: 'edit', server })}
              onRemove={() => onOpen({ what: 'remove', server })}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

function RemoveServer({ server, onClose }: { server: OtherServer; onClose: () => void }) {
  const removing = useServerMutation(deleteServer)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${server.name}?`}
      description="Its address and its key are forgotten. What was brought from it or sent to it stays, and can no longer be undone here."
      confirmLabel="Remove server"
      attempt={removing}
      onConfirm={() =>
        removing.mutate(server, {
          onSuccess: () => {
            toast.success(`${server.name} was removed`)
            onClose()
          },
        })
      }
    />
  )
}

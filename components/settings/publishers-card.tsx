'use client'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheckIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Status } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { Publisher } from '@/lib/publishers/contract'
import { deletePublisher, publishersOptions, usePublisherMutation } from './publisher-queries'

const PublisherDialog = dynamic(
  () => import('./publisher-dialog').then((all) => all.PublisherDialog),
  { ssr: false },
)

/** Whose keys are trusted to sign plugins. */
export function PublishersCard() {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Publisher | null>(null)
  const publishers = useQuery(publishersOptions)
  return (
    <Card
      title="Trusted publishers"
      description="Whose signatures of plugins are accepted."
      flush
      actions={
        <Button size="sm" onClick={() => setAdding(true)}>
          Trust a publisher
        </Button>
      }
    >
      {publishers.error ? (
        <ErrorState of={publishers} />
      ) : publishers.data ? (
        <PublisherList publishers={publishers.data} onRemove={setRemoved} />
      ) : (
        <Skeleton className="m-4 h-24 rounded-lg" />
      )}
      {isAdding && <PublisherDialog onClose={() => setAdding(false)} />}
      {removed && <RemovePublisher publisher={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

type ListProps = { publishers: Publisher[]; onRemove: (publisher: Publisher) => void }

const PublisherList = ({ publishers, onRemove }: ListProps) =>
  publishers.length === 0 ? (
    <EmptyState icon={BadgeCheckIcon} title="No trusted publishers yet">
      With the key of a publisher, plugins show who signed them.
    </EmptyState>
  ) : (
    <ul className="max-h-96 divide-y overflow-y-auto">
      {publishers.map((each) => (
        <PublisherItem key={each.id} publisher={each} onRemove={() => onRemove(each)} />
      ))}
    </ul>
  )

const PublisherItem = ({
  publisher: { name, keyId, expired, expiresAt },
  onRemove,
}: {
  publisher: Publisher
  onRemove: () => void
}) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
    <div className="grid min-w-48 flex-1 gap-0.5">
      <span className="font-medium break-words">{name}</span>
      <span className="text-[13px] text-muted-foreground">
        Key <span className="font-mono text-xs">{keyId}</span>
        {expiresAt && (
          <>
            {' '}
            · trusted until <Time value={expiresAt} />
          </>
        )}
      </span>
    </div>
    {expired ? <Status tone="warning">Expired</Status> : <Status tone="success">Trusted</Status>}
    <Button size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
      Remove
    </Button>
  </li>
)

function RemovePublisher({ publisher, onClose }: { publisher: Publisher; onClose: () => void }) {
  const { name, keyId } = publisher
  const removing = usePublisherMutation(deletePublisher)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${name}?`}
      description={`Plugins that are signed by the key ${keyId} are of an unknown publisher from then on. What is installed stays.`}
      confirmLabel="Remove publisher"
      attempt={removing}
      onConfirm={() =>
        removing.mutate(publisher, {
          onSuccess: () => {
            toast.success(`${name} is no longer trusted`)
            onClose()
          },
        })
      }
    />
  )
}

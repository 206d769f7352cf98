'use client'
import { useQuery } from '@tanstack/react-query'
import {
  BookOpenIcon,
  MoreHorizontalIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  RefreshCwIcon,
  SendIcon,
  Trash2Icon,
} from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { PluginLink } from '@/components/plugins/plugin-link'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button, IconButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Facts } from '@/components/ui/facts'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Notice, Refusal } from '@/components/ui/notice'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { NewWebhook, Webhook } from '@/lib/webhooks/contract'
import { AddressDialog } from './address-dialog'
import { DeliveryLog } from './delivery-log'
import { ShowSecret } from './show-secret'
import { WebhookDialog } from './webhook-dialog'
import {
  changeWebhook,
  deleteWebhook,
  rotateSecret,
  sendTest,
  useWebhookMutation,
  webhookOptions,
} from './webhook-queries'
import { WebhookStatus } from './webhook-words'

/** A webhook: where it sends to, whether it does, and what it has sent. */
export function WebhookPage({ id }: { id: string }) {
  const webhook = useQuery(webhookOptions(id))
  useOwnCrumb(webhook.data?.name)
  if (webhook.error) return <ErrorState of={webhook} />
  if (!webhook.data) return <Skeleton className="m-6 h-96 rounded-lg" />
  return <Loaded webhook={webhook.data} />
}

function Loaded({ webhook }: { webhook: Webhook }) {
  const { name, url, stopped, missedAt } = webhook
  return (
    <Page
      stacked
      title={name}
      aside={<WebhookStatus webhook={webhook} />}
      description={
        <span className="break-all">{url ?? 'Sends nothing until you fill in its address.'}</span>
      }
      actions={<Actions webhook={webhook} />}
    >
      {stopped && (
        <Notice tone={stopped === 'paused' ? 'info' : 'warning'} title="Nothing is sent">
          Changes wait as long as they are kept, and are sent once you resume it.
        </Notice>
      )}
      {missedAt && (
        <Notice tone="warning" title="Some changes were not sent">
          Those before <Time value={missedAt} /> were no longer kept when it read on.
        </Notice>
      )}
      <WebhookFacts webhook={webhook} />
      <DeliveryLog webhook={webhook} />
    </Page>
  )
}

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <Card>
    <Facts
      facts={[
        webhook.pluginId !== null && {
          label: 'Declared by',
          value: <PluginLink id={webhook.pluginId} className="text-primary" />,
        },
        { label: 'Entities', value: webhook.entities.join(', ') },
        { label: 'Actions', value: webhook.actions.join(', ') },
        webhook.fields && { label: 'Fields', value: webhook.fields.join(', ') },
        { label: 'Acts for', value: webhook.savedBy },
        webhook.formerSecretUntil !== null && {
          label: 'Former secret',
          value: (
            <>
              Valid until <Time value={webhook.formerSecretUntil} />
            </>
          ),
        },
        { label: 'Waiting', value: webhook.waiting },
      ]}
    />
  </Card>
)

type Step = 'edit' | 'rotate' | 'delete' | null

function Actions({ webhook }: { webhook: Webhook }) {
  const { id, url, pluginId, enabled } = webhook
  const router = useRouter()
  const [step, setStep] = useState<Step>(null)
  const [shown, setShown] = useState<NewWebhook | null>(null)
  const test = useWebhookMutation(sendTest)
  const change = useWebhookMutation(changeWebhook)
  const close = () => setStep(null)
  return (
    <>
      <Refusal of={test.error ?? change.error} title="That did not work" />
      {url === null && (
        <Button variant="primary" onClick={() => setStep('edit')}>
          Fill in the address
        </Button>
      )}
      <Button
        busy={test.isPending}
        disabled={url === null}
        onClick={() =>
          test.mutate(id, {
            onSuccess: ({ status, error }) =>
              status === 'delivered'
                ? toast.success('The test was delivered')
                : toast.error(`The test failed: ${error}`),
          })
        }
      >
        <SendIcon aria-hidden />
        Send a test
      </Button>
      <Button busy={change.isPending} onClick={() => change.mutate({ id, enabled: !enabled })}>
        {enabled ? <PauseIcon aria-hidden /> : <PlayIcon aria-hidden />}
        {enabled ? 'Pause' : 'Resume'}
      </Button>
      <Menu
        trigger={<IconButton icon={MoreHorizontalIcon} label={`Actions for ${webhook.name}`} />}
      >
        <MenuItem onClick={() => setStep('edit')}>
          <PencilIcon aria-hidden />
          {pluginId === null ? 'Edit' : 'Change the address'}
        </MenuItem>
        <MenuItem onClick={() => router.push(`/webhooks/${id}/receiver`)}>
          <BookOpenIcon aria-hidden />
          For the receiver
        </MenuItem>
        {url !== null && (
          <MenuItem onClick={() => setStep('rotate')}>
            <RefreshCwIcon aria-hidden />
            Rotate secret
          </MenuItem>
        )}
        <MenuItem tone="destructive" onClick={() => setStep('delete')}>
          <Trash2Icon aria-hidden />
          Delete
        </MenuItem>
      </Menu>
      {step === 'edit' && pluginId === null && <WebhookDialog webhook={webhook} onClose={close} />}
      {step === 'edit' && pluginId !== null && (
        <AddressDialog webhook={webhook} onClose={close} onSecret={setShown} />
      )}
      {step === 'rotate' && (
        <ConfirmRotate
          webhook={webhook}
          onClose={close}
          onRotated={(next) => {
            close()
            setShown(next)
          }}
        />
      )}
      {step === 'delete' && <ConfirmDelete webhook={webhook} onClose={close} />}
      {shown && <ShowSecret webhook={shown} onClose={() => setShown(null)} />}
    </>
  )
}

type Props = { webhook: Webhook; onClose: () => void }

function ConfirmRotate({
  webhook,
  onClose,
  onRotated,
}: Props & { onRotated: (webhook: NewWebhook) => void }) {
  const rotation = useWebhookMutation(rotateSecret)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Rotate the secret of “${webhook.name}”?`}
      description="Messages are signed by both the new and the present secret for 24 hours, then by the new one alone."
      confirmLabel="Rotate secret"
      tone="primary"
      attempt={rotation}
      onConfirm={() => rotation.mutate(webhook.id, { onSuccess: onRotated })}
    />
  )
}

function ConfirmDelete({ webhook, onClose }: Props) {
  const router = useRouter()
  const deletion = useWebhookMutation(deleteWebhook)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${webhook.name}”?`}
      description="Its log and what waits to be sent go with it. This can’t be undone."
      confirmLabel="Delete webhook"
      attempt={deletion}
      onConfirm={() => deletion.mutate(webhook.id, { onSuccess: () => router.push('/webhooks') })}
    />
  )
}

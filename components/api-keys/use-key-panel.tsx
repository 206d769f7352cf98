'use client'
import { MoreHorizontalIcon, PlusIcon, RefreshCwIcon, Trash2Icon } from 'lucide-react'
import { useQueryState } from 'nuqs'
import { useCallback, useState } from 'react'
import type { Panel } from '@/components/lists/define-list'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { ConfirmRevoke, ConfirmRotate } from './confirm-key-action'
import { CreateKeyDialog } from './create-key-dialog'
import { ShowKeyDialog } from './show-key-dialog'

type Step =
  | { type: 'create' }
  | { type: 'show'; apiKey: NewApiKey }
  | { type: 'rotate' | 'revoke'; apiKey: ApiKey }

type OnStep = (step: Step | null) => void

/** What can be done with keys: create (also by `?create=1`), rotate, revoke, each in a dialog. */
export function useKeyPanel(): Panel<ApiKey> {
  const { step, onStep } = useKeyStep()
  return {
    rowActions: useCallback((apiKey) => <KeyMenu apiKey={apiKey} onStep={onStep} />, [onStep]),
    actions: (
      <Button variant="primary" onClick={() => onStep({ type: 'create' })}>
        <PlusIcon aria-hidden />
        New key
      </Button>
    ),
    panel: step && <KeyDialog step={step} onStep={onStep} />,
  }
}

function useKeyStep(): { step: Step | null; onStep: OnStep } {
  const [asked, setAsked] = useQueryState('create')
  const [chosen, setChosen] = useState<Step | null>(null)
  const onStep = useCallback<OnStep>(
    (next) => {
      void setAsked(null)
      setChosen(next)
    },
    [setAsked],
  )
  return { step: chosen ?? (asked === null ? null : { type: 'create' }), onStep }
}

/** What can be done to a key that still works. */
function KeyMenu({ apiKey, onStep }: { apiKey: ApiKey; onStep: OnStep }) {
  if (apiKey.status === 'REVOKED') return null
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${apiKey.name}`}>
          <MoreHorizontalIcon aria-hidden />
        </Button>
      }
    >
      <MenuItem onClick={() => onStep({ type: 'rotate', apiKey })}>
        <RefreshCwIcon aria-hidden />
        Rotate
      </MenuItem>
      <MenuItem tone="destructive" onClick={() => onStep({ type: 'revoke', apiKey })}>
        <Trash2Icon aria-hidden />
        Revoke
      </MenuItem>
    </Menu>
  )
}

function KeyDialog({ step, onStep }: { step: Step; onStep: OnStep }) {
  const close = () => onStep(null)
  const show = (apiKey: NewApiKey) => onStep({ type: 'show', apiKey })
  switch (step.type) {
    case 'create':
      return <CreateKeyDialog onClose={close} onCreated={show} />
    case 'show':
      return <ShowKeyDialog apiKey={step.apiKey} onClose={close} />
    case 'rotate':
      return <ConfirmRotate apiKey={step.apiKey} onClose={close} onRotated={show} />
    case 'revoke':
      return <ConfirmRevoke apiKey={step.apiKey} onClose={close} />
  }
}

'use client'
import { useQueryClient } from '@tanstack/react-query'
import { PencilIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { AuthForm } from '@/components/auth/auth-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ApiError } from '@/lib/http/client'
import type { Passkey } from '@/lib/second-factors/contract'
import { factorsOptions, renamePasskey } from './factor-queries'
import { FactorRow, LastUse } from './factor-row'

type Props = { passkey: Passkey; onRemove: () => void }

export function PasskeyRow({ passkey, onRemove }: Props) {
  const { name } = passkey
  const [renames, setRenames] = useState(false)
  return (
    <FactorRow nested title={name} detail={<LastUse {...passkey} />}>
      <Button
        size="icon-sm"
        variant="ghost"
        aria-label={`Rename the passkey ${name}`}
        onClick={() => setRenames(true)}
      >
        <PencilIcon aria-hidden />
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        aria-label={`Remove the passkey ${name}`}
        onClick={onRemove}
      >
        <Trash2Icon aria-hidden />
      </Button>
      {renames && <RenameDialog passkey={passkey} onClose={() => setRenames(false)} />}
    </FactorRow>
  )
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Rename the passkey" size="sm">
      <AuthForm
        fields={[
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            autoComplete: 'off',
            defaultValue: passkey.name,
          },
        ]}
        button="Rename"
        submit={async ({ name = '' }) => {
          try {
            await renamePasskey(passkey.id, name.trim())
            await client.invalidateQueries({ queryKey: factorsOptions.queryKey })
            onClose()
            return null
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
            return { message: error.message, errorOf: (field) => error.errorOf(field) }
          }
        }}
      />
    </Dialog>
  )
}

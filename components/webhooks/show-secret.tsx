import { useUnsaved } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import type { NewWebhook } from '@/lib/webhooks/contract'

const WORDS = { title: 'Leave without the secret?', keep: 'Stay', discard: 'Leave' }

/** Shows a secret the one time it can be shown: only its button closes it. */
export function ShowSecret({ webhook, onClose }: { webhook: NewWebhook; onClose: () => void }) {
  const what = `The secret of “${webhook.name}” can’t be shown again. Copy it first.`
  useUnsaved({ what, words: WORDS, dirty: true })
  return (
    <Dialog
      stays
      onClose={onClose}
      title={`Secret of “${webhook.name}”`}
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warning" title="Copy it now">
          It is stored encrypted and can’t be shown again.
          {webhook.formerSecretUntil && ' The former one is valid for 24 hours more.'}
        </Notice>
        <CodeBlock label="the secret" code={webhook.secret} wrap />
        <p className="text-[13px] text-muted-foreground">
          The receiver verifies signatures with it, best by a library of Standard Webhooks.
        </p>
      </div>
    </Dialog>
  )
}

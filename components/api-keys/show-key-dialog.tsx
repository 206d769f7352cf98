import { useUnsaved } from '@/components/drafts/use-unsaved'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import type { NewApiKey } from '@/lib/api-keys/contract'

const WORDS = {
  title: 'Leave without the key?',
  keep: 'Stay',
  discard: 'Leave',
}

/** Shows a key the one time it can be shown: only its buttons close it. */
export function ShowKeyDialog({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const what = `The API key “${apiKey.name}” can’t be shown again. Copy it first.`
  useUnsaved({ what, words: WORDS, dirty: true })
  return (
    <Dialog
      open
      stays
      onOpenChange={(open) => !open && onClose()}
      title={`API key “${apiKey.name}”`}
      footer={<DialogClose render={<Button variant="primary" />}>I have copied it</DialogClose>}
    >
      <div className="grid gap-4">
        <Notice tone="warning" title="Copy it now">
          Only its first characters and a hash are stored, so it can’t be shown again.
        </Notice>
        <CodeBlock label="the API key" code={apiKey.apiKey} wrap />
        <p className="text-[13px] text-muted-foreground">
          Send it with every request as{' '}
          <span className="font-mono whitespace-nowrap">Authorization: Bearer …</span>
        </p>
      </div>
    </Dialog>
  )
}

import { DownloadIcon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { saveFile } from '@/components/ui/save-file'

type Props = { codes: readonly string[]; onStored: () => void }

/** New recovery codes, which can't be read again. */
export function RecoveryCodes({ codes, onStored }: Props) {
  const text = codes.join('\n')
  return (
    <div className="grid gap-4">
      <Notice tone="warning" title="Store these codes now">
        Each signs you in once when you have lost your second factor. They are not shown again.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1.5 rounded-lg border bg-muted/50 px-4 py-3 font-mono text-[13px] sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy" showLabel />
        <Button onClick={() => saveFile('engine-recovery-codes.txt', `${text}\n`)}>
          <DownloadIcon aria-hidden /> Download
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onStored}>
          I have stored them
        </Button>
      </div>
    </div>
  )
}

'use client'
import { useState } from 'react'
import { Card } from '@/components/ui/card'
import { Facts } from '@/components/ui/facts'
import { NativeSelect } from '@/components/ui/native-select'
import type { MailSample } from '@/lib/mail/preview-mails'
import { MailPreview } from './mail-preview'

/** One of the mails that the server sends, by choice. */
export function MailSamples({ samples }: { samples: MailSample[] }) {
  const [name, setName] = useState(samples[0]?.name ?? '')
  const sample = samples.find((each) => each.name === name)
  return (
    <div className="grid gap-4">
      <NativeSelect
        aria-label="Mail"
        className="justify-self-start"
        value={name}
        onValueChange={setName}
        options={samples.map((each) => ({ value: each.name, label: each.name }))}
      />
      {sample && (
        <Card>
          <div className="grid gap-4">
            <Facts
              facts={[
                { label: 'Subject', value: sample.subject },
                { label: 'From', value: sample.from },
              ]}
            />
            <MailPreview key={name} content={sample} />
          </div>
        </Card>
      )}
    </div>
  )
}

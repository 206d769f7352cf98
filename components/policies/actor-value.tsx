import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useId } from 'react'
import { isOfActor, ME } from '@/components/data-table/filter/field'
import { faultProps, type InputProps } from '@/components/data-table/filter/values/value-text'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { isTextKind } from '@/lib/kinds/kind'
import { peopleOptions, profileKeys } from './people'

const PROFILE = '$me.profile.'

const SOURCES = {
  value: 'A value',
  person: 'Id of the person',
  profile: 'From their profile',
}
type Source = keyof typeof SOURCES

type Props = InputProps & { Plain: ComponentType<InputProps> }

/** A value of a policy: one that is entered, or one of the person who asks. */
export function ActorValue({ Plain, ...props }: Props) {
  const { field, label, value, onChange } = props
  const source = sourceOf(value)
  const sources: Source[] = isTextKind(field.kind)
    ? ['value', 'person', 'profile']
    : ['value', 'profile']
  // Whoever writes the policy is not the person that it will be about.
  const plain = { ...field, user: undefined }
  return (
    <div className="grid gap-1.5">
      <Select
        aria-label={`${label}: where from`}
        value={source}
        onValueChange={(next) => onChange(FIRST[next])}
        options={sources.map((each) => ({ value: each, label: SOURCES[each] }))}
      />
      {source === 'value' && <Plain {...props} field={plain} />}
      {source === 'profile' && <ProfileKey {...props} />}
    </div>
  )
}

const FIRST: Record<Source, string> = { value: '', person: ME, profile: PROFILE }

function sourceOf(value: unknown): Source {
  if (!isOfActor(value)) return 'value'
  return value === ME ? 'person' : 'profile'
}

function ProfileKey({ label, value, onChange, faultId }: InputProps) {
  const listId = useId()
  const people = useQuery(peopleOptions)
  return (
    <>
      <Input
        aria-label={`${label}: key of the profile`}
        placeholder="Key, such as branch"
        autoComplete="off"
        list={listId}
        value={String(value).slice(PROFILE.length)}
        onChange={({ target }) => onChange(PROFILE + target.value.trim())}
        {...faultProps(faultId)}
      />
      <datalist id={listId}>
        {profileKeys(people.data ?? []).map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </>
  )
}

import { compareVersions } from './compare-versions'

/** `>=1.2 <2`: comparisons with blanks between, all of which have to hold. */
export const VERSION_RANGE =
  /^(>=|>|<=|<|=)\d{1,9}(\.\d{1,9}){0,3}(-[\w.-]{1,40})?( (>=|>|<=|<|=)\d{1,9}(\.\d{1,9}){0,3}(-[\w.-]{1,40})?){0,3}$/

/** Whether a version is in a range in the form of `VERSION_RANGE`. */
export const isInRange = (version: string, range: string): boolean =>
  range.split(' ').every((comparison) => {
    const [, sign = '', bound = ''] = /^([<>=]+)(.*)$/.exec(comparison) ?? []
    const order = compareVersions(version, bound)
    return (
      (order === 0 && sign.includes('=')) || (order !== 0 && sign[0] === (order < 0 ? '<' : '>'))
    )
  })

import { expect, test } from 'vitest'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { PresetForm, valuesOf } from './preset-form.ts'

test('each line is a field; blank and repeated lines are not sent', () => {
  const excluded_fields = ' Cost, net \n\nMargin\nMargin\n'
  expect(PresetForm.parse({ name: 'No costs', excluded_fields })).toEqual({
    name: 'No costs',
    excluded_fields: ['Cost, net', 'Margin'],
  })
})

test('a name and at least one field are required', () => {
  expect(fieldErrors(PresetForm)(valuesOf(null))).toEqual({
    name: 'Name is required',
    excluded_fields: 'Name at least one field to skip',
  })
})

import { NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { NumberSetting } from '../api.ts'
import { numberFields, type TypeValues } from './type-form.ts'

type Props<Values extends TypeValues> = {
  form: UseFormReturnType<Values>
  numbers: readonly NumberSetting[]
  required?: readonly NumberSetting[]
}

/** One input per numeric setting of a type. */
export const NumberFields = <Values extends TypeValues>({ form, numbers, required = [] }: Props<Values>) =>
  numbers.map((name) => (
    <NumberInput
      key={name}
      allowDecimal={false}
      {...numberFields[name]}
      withAsterisk={required.includes(name)}
      {...form.getInputProps(name)}
    />
  ))

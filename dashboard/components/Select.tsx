// One of several: as a list that opens, or as cards that are all in view.

import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import { Check, ChevronDown } from './icons.tsx';

export type Option<Value extends string> = { value: Value; label: string; hint?: string };

type SelectProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
};

export const Choose = <Value extends string>(props: SelectProps<Value>) => {
  const { label, value, options, onChange, hideLabel } = props;
  return (
    <Select
      className="field"
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(String(key) as Value)}
    >
      <Label className={hideLabel ? 'unseen' : 'label'}>{label}</Label>
      <Button className="input select">
        <SelectValue className="value">{({ selectedText }) => selectedText}</SelectValue>
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <ListBox className="listing" items={options}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className="item">
              {({ isSelected }) => (
                <>
                  <Text slot="label">{option.label}</Text>
                  {isSelected && <Check className="check" size={16} aria-hidden="true" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
};

/** The same as cards, where the difference wants a sentence each. */
export const RadioCards = <Value extends string>({ label, value, options, onChange }: SelectProps<Value>) => (
  <RadioGroup className="choices field" value={value} onChange={(chosen) => onChange(chosen as Value)}>
    <Label className="label">{label}</Label>
    <div className="options">
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className="choice">
          <strong>{option.label}</strong>
          {option.hint && <span className="hint">{option.hint}</span>}
        </Radio>
      ))}
    </div>
  </RadioGroup>
);

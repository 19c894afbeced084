// Selecting one of several options: a select, or radio buttons as cards.
import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
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
  /** Show the label to screen readers only. */
  hideLabel?: boolean;
};

export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { label, value, options, onChange, hideLabel } = props;
  return (
    <AriaSelect
      className="field"
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(String(key) as Value)}
    >
      <Label className={hideLabel ? 'visually-hidden' : 'label'}>{label}</Label>
      <Button className="input select">
        <SelectValue className="value">{({ selectedText }) => selectedText}</SelectValue>
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <ListBox className="menu-list" items={options}>
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
    </AriaSelect>
  );
};

/** Radio buttons as cards, for options with a sentence of explanation. */
export const RadioCards = <Value extends string>({ label, value, options, onChange }: SelectProps<Value>) => (
  <RadioGroup
    className="radio-cards field"
    value={value}
    onChange={(selected) => onChange(selected as Value)}
  >
    <Label className="label">{label}</Label>
    <div className="options">
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className="radio-card">
          <strong>{option.label}</strong>
          {option.hint && <span className="hint">{option.hint}</span>}
        </Radio>
      ))}
    </div>
  </RadioGroup>
);

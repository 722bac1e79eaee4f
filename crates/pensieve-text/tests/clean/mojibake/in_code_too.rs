const NAME: &str = "JosÃ©";

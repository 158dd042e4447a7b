// The job with ARX: java -cp arx.jar ArxJob.java DATA.csv FOLDER
import java.io.File;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.*;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.criteria.*;

public class ArxJob {
    public static void main(String[] args) throws Exception {
        Data data = Data.create(new File(args[0]), StandardCharsets.UTF_8, ',');
        String[][] values = {
            {"race", "African-American", "Caucasian", "Other"}, {"sex", "Female", "Male"},
            {"age", "under 25", "25 to 45", "over 45"}, {"decision", "released", "detained"}};
        for (String[] column : values) {
            Hierarchy.DefaultHierarchy hierarchy = Hierarchy.create();
            for (int i = 1; i < column.length; i++) hierarchy.add(column[i], "*");
            data.getDefinition().setAttributeType(column[0], hierarchy);
        }
        data.getDefinition().setAttributeType("priors", AttributeType.SENSITIVE_ATTRIBUTE);
        data.getDefinition().setAttributeType("reoffended", AttributeType.INSENSITIVE_ATTRIBUTE);
        ARXConfiguration config = ARXConfiguration.create();
        config.addPrivacyModel(new KAnonymity(5));
        config.addPrivacyModel(new EqualDistanceTCloseness("priors", 0.3d));
        config.setSuppressionLimit(0.05d);
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        DataHandle output = result.getOutput(false);
        output.save(new File(args[1], "anonymous.csv"), ',');
        System.out.println(output.getRiskEstimator().getSampleBasedReidentificationRisk().getHighestRisk());
    }
}
